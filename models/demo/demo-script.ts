import { NEW_SESSION } from '#lib/tools/browser/browser-js-eval.ts';
import { COLOR_MIXER_MISTAKE, COLOR_MIXER_PATH, colorMixer } from './color-mixer.ts';

/** The result of a call that the demo model has made. */
export interface DemoResult {
  toolName: string;
  text: string;
}

/** A turn of the demo model, which plays a script: the text that it says, and the call of a tool that it makes at the end. */
export interface DemoTurn {
  text: string;
  call?: { toolName: string; input: Record<string, unknown> };
}

type Language = 'en' | 'zh';

interface DemoScenario {
  matches(question: string): boolean;
  play(question: string, results: readonly DemoResult[], language: Language): DemoTurn;
}

/**
 * Returns the demo model's next turn: the next part of the scenario that fits the question, or, if none does, an explanation of
 * what the demo is. `results`: of the calls since the question, from which the next part follows. If the latest call failed,
 * the turn says so, and the scenario ends.
 */
export function playDemo(question: string, results: readonly DemoResult[]): DemoTurn {
  const language: Language = /[\u4e00-\u9fff]/.test(question) ? 'zh' : 'en';
  const scenario = SCENARIOS.find(({ matches }) => matches(question));
  if (scenario === undefined) return { text: ABOUT[language] };
  const last = results.at(-1);
  if (last !== undefined && /^Error \(/.test(last.text)) {
    return { text: `${FAILED[language]}\n\n> ${last.text.replaceAll('\n', '\n> ')}` };
  }
  return scenario.play(question, results, language);
}

const ABOUT: Record<Language, string> = {
  en: `I am a **script, not an AI**: I play prepared scenarios so that you can watch a whole round trip before you connect a model. Try one of these:

- *Build a page that mixes a color with three sliders*
- *Sum of the primes below 1000*
- *Create a simple React component Button.tsx*
- *Look in src and change the title in App.tsx*
- *What is in this workspace?*

To talk to a real model, either start a model server on this computer (Ollama, LM Studio, llama.cpp or vLLM; the studio finds it automatically), or set a key such as \`OPENAI_API_KEY\` or \`ANTHROPIC_API_KEY\` in the environment and restart the studio. Then choose the model at the top of the thread.`,
  zh: `我是一段**脚本，不是 AI**：我只会演示几个准备好的场景，让你在接入模型之前看到一次完整的往返。试试：

- *做一个用三个滑块调色的页面*
- *1000 以内所有质数的和*
- *创建一个简单的 React 组件 Button.tsx*
- *查看 src，修改 App.tsx 里的标题*
- *这个工作区里有什么？*

要和真正的模型对话，可以在本机启动模型服务（Ollama、LM Studio、llama.cpp 或 vLLM，工作室会自动发现），或者在环境变量中设置密钥（例如 \`OPENAI_API_KEY\` 或 \`ANTHROPIC_API_KEY\`）后重新启动工作室，然后在会话顶部选择模型。`,
};

const FAILED: Record<Language, string> = {
  en: 'The call failed, so the demo ends here. A real model would read this error and continue:',
  zh: '这次调用没有成功，演示到此结束。真正的模型会读取原因并继续：',
};

const BUTTON = `import type { ButtonHTMLAttributes, ReactNode } from 'react';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'primary' | 'secondary';
  children: ReactNode;
}

/** A button in two variants; all other properties go to the element. */
export function Button({ variant = 'primary', type = 'button', className = '', children, ...rest }: ButtonProps) {
  return (
    <button type={type} className={\`button button-\${variant} \${className}\`.trim()} {...rest}>
      {children}
    </button>
  );
}
`;

/** Returns the next turn of the scenario that writes a page, opens it, sees that it fails, corrects it, and opens it again. */
function playColorMixer(results: readonly DemoResult[], language: Language): DemoTurn {
  const zh = language === 'zh';
  const open = { toolName: 'preview_open', input: { entry: COLOR_MIXER_PATH } };
  const last = results.at(-1);
  if (last === undefined) {
    const content = colorMixer(
      zh
        ? { lang: 'zh-CN', title: '调色盘', channels: ['红', '绿', '蓝'] }
        : { lang: 'en', title: 'Color mixer', channels: ['Red', 'Green', 'Blue'] },
    );
    return {
      text: zh ? '我来写这个页面，然后打开看看。' : 'I’ll write the page, then open it to see whether it works.',
      call: { toolName: 'write_file', input: { path: COLOR_MIXER_PATH, content } },
    };
  }
  if (last.toolName !== 'preview_open') return { text: '', call: open };
  if (last.text.includes('No errors.'))
    return {
      text: zh
        ? `页面可以用了：\`${COLOR_MIXER_PATH}\`。在预览里拖动滑块试试。`
        : `The page works: \`${COLOR_MIXER_PATH}\`. Move the sliders in the preview.`,
    };
  // It has been corrected once; whatever fails now is not what the demo knows.
  if (results.some(({ toolName }) => toolName === 'edit_file'))
    return { text: zh ? '页面仍然有错误，演示到此结束。' : 'The page still has an error, so the demo ends here.' };
  return {
    text: zh
      ? '页面报错了：脚本找的元素不存在，它的名字应该是 `swatch`。我来改正。'
      : 'The page reports an error: its script looks for an element that isn’t there. It’s called `swatch`. I’ll fix that.',
    call: { toolName: 'edit_file', input: { path: COLOR_MIXER_PATH, ...COLOR_MIXER_MISTAKE } },
  };
}

const SCENARIOS: readonly DemoScenario[] = [
  {
    matches: (question) => /slider|滑块|color mixer|调色/i.test(question),
    play: (_, results, language) => playColorMixer(results, language),
  },
  {
    matches: (question) => /in this workspace|工作区里有什么/i.test(question),
    play(_, results, language) {
      const zh = language === 'zh';
      const [listed] = results;
      if (listed === undefined)
        return {
          text: zh ? '我来看看。' : 'I’ll have a look.',
          call: { toolName: 'list_directory', input: { path: '/', recursive: true } },
        };
      // A note about what is left out stands in brackets, and so does that there is nothing.
      const files = listed.text.split('\n').filter((line) => line !== '' && !/^[[(]|\/$/.test(line));
      if (files.length === 0)
        return {
          text: zh
            ? '这个工作区还是空的。可以让我写一个文件，或者导入你自己的文件。'
            : 'This workspace is still empty. Ask for a file, or import your own.',
        };
      const shown = files.slice(0, 20).map((path) => `- \`/${path}\``);
      const more = files.length - shown.length;
      const list = [...shown, ...(more > 0 ? [zh ? `- 另外 ${more} 个` : `- and ${more} more`] : [])].join('\n');
      return {
        text: zh
          ? `工作区里有 ${files.length} 个文件：\n\n${list}`
          : `The workspace has ${files.length === 1 ? 'one file' : `${files.length} files`}:\n\n${list}`,
      };
    },
  },
  {
    matches: (question) => /prime|质数|素数/i.test(question),
    play(question, results, language) {
      const limit = Math.min(Number(/\d[\d,]*/.exec(question)?.[0].replaceAll(',', '') ?? 1000), 5_000_000);
      const last = results.at(-1);
      if (last !== undefined) {
        const [sum] = last.text.split(`\n${NEW_SESSION}`);
        return {
          text:
            language === 'zh'
              ? `${limit} 以内所有质数的和是 **${sum}**。`
              : `The sum of the primes below ${limit} is **${sum}**.`,
        };
      }
      const code = `const limit = ${limit};
const composite = new Uint8Array(limit);
let sum = 0;
for (let n = 2; n < limit; n++) {
  if (composite[n]) continue;
  sum += n;
  for (let multiple = n * n; multiple < limit; multiple += n) composite[multiple] = 1;
}
sum`;
      return {
        text: language === 'zh' ? '我用筛法在你的浏览器里计算。' : 'I’ll compute that in your browser with a sieve.',
        call: { toolName: 'browser_js_eval', input: { code } },
      };
    },
  },
  {
    matches: (question) => /button\.tsx|react component|react 组件/i.test(question),
    play(question, results, language) {
      const path = /workspace root|根目录/i.test(question) ? '/Button.tsx' : '/src/Button.tsx';
      if (results.length > 0) {
        return {
          text:
            language === 'zh'
              ? `已创建 \`${path}\`：一个带两种样式的按钮组件。你可以在右侧的工作区打开并编辑它。`
              : `I’ve created \`${path}\`, a button in two variants. Open it in the workspace on the right to read or edit it.`,
        };
      }
      return {
        text: language === 'zh' ? '我来写这个组件。' : 'I’ll write the component.',
        call: { toolName: 'write_file', input: { path, content: BUTTON } },
      };
    },
  },
  {
    matches: (question) => /app\.tsx/i.test(question),
    play(question, results, language) {
      const zh = language === 'zh';
      const [listed, read, written] = results;
      if (listed === undefined) {
        return {
          text: zh ? '先看看 `src` 里有什么。' : 'First I’ll see what is in `src`.',
          call: { toolName: 'list_directory', input: { path: '/src' } },
        };
      }
      if (!listed.text.split('\n').includes('App.tsx')) {
        return {
          text: zh
            ? '`/src` 里没有 App.tsx，所以没有可以修改的标题。'
            : 'There is no App.tsx in `/src`, so there is no title to change.',
        };
      }
      if (read === undefined) {
        return {
          text: zh ? '找到了 App.tsx，读一下内容。' : 'I found App.tsx. I’ll read it.',
          call: { toolName: 'read_file', input: { path: '/src/App.tsx' } },
        };
      }
      // Use the last quoted title: "from “Old” to “New”".
      const named = [...question.matchAll(/[“"「]([^”"」]+)[”"」]/g)].at(-1)?.[1];
      const title = named ?? (zh ? '你好，Roundtrip Studio' : 'Hello, Roundtrip Studio');
      if (written === undefined) {
        const content = read.text.replace(
          /(<h1[^>]*>)[^<]*(<\/h1>)/,
          (_, open: string, close: string) => open + title + close,
        );
        if (content === read.text)
          return {
            text: zh ? 'App.tsx 里没有可以修改的 `<h1>` 标题。' : 'App.tsx has no `<h1>` title that I can change.',
          };
        return {
          text: zh ? '现在写入新的标题。' : 'Now I’ll write it with the new title.',
          call: { toolName: 'write_file', input: { path: '/src/App.tsx', content } },
        };
      }
      return {
        text: zh ? `已把 App.tsx 里的标题改成“${title}”。` : `I’ve changed the title in App.tsx to “${title}”.`,
      };
    },
  },
];

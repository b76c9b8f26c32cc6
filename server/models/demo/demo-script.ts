import { NEW_SESSION } from '#lib/tools/browser/browser-js-eval.ts';

export interface DemoResult {
  toolName: string;
  text: string;
}

/** What the demo says and the calls it makes at the end. */
export interface DemoTurn {
  text: string;
  call?: { toolName: string; input: Record<string, unknown> };
}

type Language = 'en' | 'zh';

interface DemoScenario {
  matches(question: string): boolean;
  play(question: string, results: readonly DemoResult[], language: Language): DemoTurn;
}

/** The demo's next turn: one of its three scenarios, or an explanation of what it is. */
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
  en: `I am a **script, not an AI**: I play three prepared scenarios so that you can watch a whole round trip before you connect a model. Try one of these:

- *Sum of the primes below 1000*
- *Create a simple React component Button.tsx*
- *Look in src and change the title in App.tsx*

To talk to a real model, either start a model server on this computer (Ollama, LM Studio, llama.cpp or vLLM; the studio finds it automatically), or set a key such as \`OPENAI_API_KEY\` or \`ANTHROPIC_API_KEY\` in the environment and restart the studio. Then choose the model in the message box.`,
  zh: `我是一段**脚本，不是 AI**：我只会演示三个准备好的场景，让你在接入模型之前看到一次完整的往返。试试：

- *1000 以内所有质数的和*
- *创建一个简单的 React 组件 Button.tsx*
- *查看 src，修改 App.tsx 里的标题*

要和真正的模型对话，可以在本机启动模型服务（Ollama、LM Studio、llama.cpp 或 vLLM，工作室会自动发现），或者在环境变量中设置密钥（例如 \`OPENAI_API_KEY\` 或 \`ANTHROPIC_API_KEY\`）后重新启动工作室，然后在消息框中选择模型。`,
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

const SCENARIOS: readonly DemoScenario[] = [
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

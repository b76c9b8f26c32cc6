import { runInNewContext } from 'node:vm';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { collect } from '#lib/agent/test/scripted-model.ts';
import { FALLBACK_PROTOCOL } from '#lib/prompts/codec.ts';
import { NEW_SESSION } from '#lib/tools/browser/browser-js-eval.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { DEMO_MODEL_CONFIG } from '../providers/demo.ts';
import { createLanguageModel } from '../test/wrapped-model.ts';
import { type DemoResult, type DemoTurn, playDemo } from './demo-script.ts';

const APP = 'export function App() {\n  return <h1 className="title">Old</h1>;\n}\n';

/** Plays a whole turn, answering each call with its tool. */
function play(question: string, answers: Record<string, string>): DemoTurn[] {
  const results: DemoResult[] = [];
  const turns: DemoTurn[] = [];
  for (let step = 0; step < 10; step++) {
    const turn = playDemo(question, results);
    turns.push(turn);
    if (turn.call === undefined) return turns;
    const { toolName } = turn.call;
    results.push({ toolName, text: answers[toolName] ?? 'Success' });
  }
  throw new Error('the demo does not end');
}

const callsOf = (turns: readonly DemoTurn[]) => turns.flatMap(({ call }) => call ?? []);

describe('the demo’s scenarios', () => {
  test.each([
    ['Sum of the primes below 1000', 1_000, 76_127],
    ['What is the sum of all primes under 10,000?', 10_000, 5_736_396],
    ['1000 以内所有质数的和', 1_000, 76_127],
    ['prime numbers please', 1_000, 76_127],
  ])('%s: the code it writes computes the right sum', (question, limit, sum) => {
    const [turn] = play(question, { browser_js_eval: '0' });
    const code = String(turn?.call?.input.code);
    expect(runInNewContext(code)).toBe(sum);
    // The first result of a session tells the model so.
    const result = `${sum}\n${NEW_SESSION}`;
    expect(play(question, { browser_js_eval: result }).at(-1)?.text).toMatch(new RegExp(`\\*\\*${sum}\\*\\*[.。]$`));
    expect(code).toContain(`const limit = ${limit};`);
  });

  describe.each([
    ['Build a page that mixes a color with three sliders', 'The page works'],
    ['做一个用三个滑块调色的页面', '页面可以用了'],
  ])('%s', (question, worked) => {
    const failing = '/color-mixer.html is running. Title: "Color mixer".\nErrors:\nTypeError\nNo console output.';
    const working = '/color-mixer.html is running. Title: "Color mixer".\nNo errors.\nNo console output.';

    /** Plays with a preview that fails until the page looks for an element that it has. */
    const playWithPreview = () => {
      const results: DemoResult[] = [];
      const turns: DemoTurn[] = [];
      let page = '';
      for (let step = 0; step < 10; step++) {
        const turn = playDemo(question, results);
        turns.push(turn);
        if (turn.call === undefined) break;
        const { toolName, input } = turn.call;
        if (toolName === 'write_file') page = String(input.content);
        if (toolName === 'edit_file') {
          expect(page.split(String(input.find))).toHaveLength(2);
          page = page.replace(String(input.find), String(input.replace));
        }
        const wanted = /querySelector\('#(\w+)'\)/.exec(page)?.[1];
        const text = page.includes(`id="${wanted}"`) ? working : failing;
        results.push({ toolName, text: toolName === 'preview_open' ? text : 'Success' });
      }
      return turns;
    };

    test('it sees its mistake, fixes it, and looks again', () => {
      const turns = playWithPreview();
      expect(callsOf(turns).map(({ toolName }) => toolName)).toEqual([
        'write_file',
        'preview_open',
        'edit_file',
        'preview_open',
      ]);
      expect(turns.at(-1)?.text).toContain(worked);
    });

    test('a page that fails for another reason is not said to work', () => {
      const turns = play(question, { preview_open: failing });
      expect(callsOf(turns)).toHaveLength(4);
      expect(turns.at(-1)?.text).not.toContain(worked);
    });
  });

  test.each([
    ['(empty directory)', 'still empty'],
    ['README.md', 'one file:\n\n- `/README.md`'],
    ['README.md\nsrc/\nsrc/App.tsx\n[3 more. List a subdirectory, or raise "limit".]', '2 files'],
  ])('the workspace is described as it is: %j', (listing, told) => {
    expect(play('What is in this workspace?', { list_directory: listing }).at(-1)?.text).toContain(told);
  });

  test('a limit that would freeze the browser is lowered', () => {
    const [turn] = play('primes below 999999999999', {});
    expect(JSON.stringify(turn?.call)).toContain('const limit = 5000000;');
  });

  test('a component is written completely', () => {
    const turns = play('Create a simple React component Button.tsx', {});
    expect(callsOf(turns)).toEqual([
      {
        toolName: 'write_file',
        input: { path: '/src/Button.tsx', content: expect.stringContaining('export function Button') },
      },
    ]);
    expect(turns.at(-1)?.text).toContain('/src/Button.tsx');
  });

  test.each([
    'Create a simple React component Button.tsx in the workspace root.',
    '在工作区根目录创建一个简单的 React 组件 Button.tsx。',
  ])('%s: it is written to the requested place', (question) => {
    expect(callsOf(play(question, {}))).toMatchObject([{ input: { path: '/Button.tsx' } }]);
  });

  test.each(['from "Old" to "Mine"', '从 “Old” 改成 “Mine”'])('of two titles the new one is taken: %s', (titles) => {
    const turns = play(`App.tsx ${titles}`, { list_directory: 'App.tsx', read_file: APP });
    expect(callsOf(turns).at(-1)?.input.content).toBe(APP.replace('Old', 'Mine'));
  });

  test('a title is changed by listing, reading and writing, and nothing else in the file changes', () => {
    const answers = { list_directory: 'App.tsx\nmain.tsx', read_file: APP };
    const turns = play('Look in src and change the title in App.tsx to “Mine”', answers);
    expect(callsOf(turns)).toEqual([
      { toolName: 'list_directory', input: { path: '/src' } },
      { toolName: 'read_file', input: { path: '/src/App.tsx' } },
      { toolName: 'write_file', input: { path: '/src/App.tsx', content: APP.replace('Old', 'Mine') } },
    ]);
    expect(turns.at(-1)?.text).toContain('“Mine”');
  });

  test('a new title with a dollar sign is used literally', () => {
    const answers = { list_directory: 'App.tsx', read_file: APP };
    const turns = play('Change the title in App.tsx to "$& $1"', answers);
    expect(callsOf(turns).at(-1)?.input.content).toBe(APP.replace('Old', () => '$& $1'));
  });

  test.each([
    [{ list_directory: 'main.tsx' }, 'There is no App.tsx'],
    [{ list_directory: 'App.tsx.bak\nMyApp.tsx' }, 'There is no App.tsx'],
    [{ list_directory: 'App.tsx', read_file: 'no heading' }, 'has no `<h1>` title'],
  ])('it does not make up what it cannot find: %j', (answers, told) => {
    const last = play('Change the title in App.tsx', answers).at(-1);
    expect(last?.text).toContain(told);
  });

  test('a failed call ends the demo with the reason', () => {
    const turns = play('Create a React component Button.tsx', { write_file: 'Error (denied): The person said no.' });
    expect(turns.at(-1)?.text).toContain('> Error (denied): The person said no.');
  });

  test.each(['Hello', 'What is the weather?', ''])(
    '%j is answered with an explanation: it is a script, not an AI',
    (question) => {
      expect(playDemo(question, [])).toEqual({ text: expect.stringContaining('script, not an AI') });
    },
  );

  test('Chinese is answered in Chinese', () => {
    expect(playDemo('你好', []).text).toContain('脚本，不是 AI');
    for (const question of [
      '1000 以内所有质数的和',
      '创建一个简单的 React 组件 Button.tsx',
      '查看 src，修改 App.tsx 里的标题',
    ]) {
      for (const { text } of play(question, { list_directory: 'App.tsx', read_file: APP }))
        expect(text).toMatch(/[\u4e00-\u9fff]/);
    }
  });

  test('every call it makes is valid for its tool', () => {
    for (const question of ['primes', 'react component', 'app.tsx']) {
      for (const { toolName, input } of callsOf(play(question, { list_directory: 'App.tsx', read_file: APP }))) {
        expect(toolRegistry.get(toolName)?.parse(input).success).toBe(true);
      }
    }
  });
});

describe('the demo as a model', () => {
  const ask = (toolCalling: 'native' | 'prompted', prompt: LanguageModelV4Prompt) => {
    const tools = toolRegistry.list();
    const options = {
      apiKey: undefined,
      toolCalling,
      protocol: FALLBACK_PROTOCOL,
      tools,
      stream: true,
      timeoutMs: 1_000,
    } as const;
    const functions = tools.map(({ name }) => ({ type: 'function', name, inputSchema: { type: 'object' } }) as const);
    return collect(createLanguageModel(DEMO_MODEL_CONFIG, options), { prompt, tools: functions });
  };

  test.each(['native', 'prompted'] as const)('plays the same in %s mode, results included', async (mode) => {
    const question: LanguageModelV4Prompt = [
      { role: 'user', content: [{ type: 'text', text: 'Change the title in App.tsx' }] },
    ];
    const first = await ask(mode, question);
    const call = first.find((part) => part.type === 'tool-call');
    expect(call).toMatchObject({ toolName: 'list_directory', input: '{"path":"/src"}' });
    expect(first.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } });
    const id = call?.toolCallId ?? '';
    const second = await ask(mode, [
      ...question,
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'list_directory', input: {} }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: id,
            toolName: 'list_directory',
            output: { type: 'text', value: 'App.tsx' },
          },
        ],
      },
    ]);
    expect(second.find((part) => part.type === 'tool-call')).toMatchObject({ toolName: 'read_file' });
  });

  test('stops when aborted', async () => {
    const controller = new AbortController();
    const model = createLanguageModel(DEMO_MODEL_CONFIG, {
      apiKey: undefined,
      toolCalling: 'native',
      protocol: FALLBACK_PROTOCOL,
      tools: [],
      stream: true,
      timeoutMs: 1_000,
    });
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      abortSignal: controller.signal,
    });
    const reader = stream.getReader();
    await reader.read();
    controller.abort();
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

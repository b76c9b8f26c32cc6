import * as z from 'zod';
import { LIST_DIRECTORY_MAX } from './list-directory.ts';
import { lineText, valueText } from './rendered-value.ts';
import { type CallTool, defineTool, type JavaScriptOutcome, type SandboxFiles, type ToolOutput } from './tool.ts';

/** How long code may run before it is ended, and how long the model may let it. */
export const JS_EVAL_TIMEOUT_MS = 30_000;
export const JS_EVAL_MAX_TIMEOUT_MS = 120_000;

export const browserJsEval = defineTool({
  name: 'browser_js_eval',
  description:
    'Runs JavaScript in a sandboxed browser window of its own and returns the value of the last expression and what the code printed with console. ' +
    'Top-level await works. What the code declares stays for later calls in this conversation and may be declared again; the result says when a new session began. ' +
    'There is a DOM (document, canvas), but no network, storage, dialogs or modules by URL. ' +
    'await vfs.readFile(path), vfs.writeFile(path, text) and vfs.list(path) work on the workspace’s text files. ' +
    `It is ended after ${JS_EVAL_TIMEOUT_MS / 1000} seconds unless timeout says otherwise, and its session with it. An exception is returned as an error with its line.`,
  toolset: 'browser',
  effect: 'execute',
  inputSchema: z.object({
    code: z
      .string()
      .min(1, 'must not be empty')
      .describe('JavaScript source. End with an expression; its value is the result.'),
    timeout: z
      .number()
      .min(0.1)
      .max(JS_EVAL_MAX_TIMEOUT_MS / 1000)
      .optional()
      .describe(
        `Seconds after which the code is ended; ${JS_EVAL_TIMEOUT_MS / 1000} if left out, ${JS_EVAL_MAX_TIMEOUT_MS / 1000} at most.`,
      ),
  }),
  primaryArgument: 'code',
  question: { verb: 'run-code', shows: { argument: 'code', as: 'javascript' } },
  examples: [
    {
      description: 'Add the numbers from 1 to 100',
      input: { code: 'let sum = 0;\nfor (let i = 1; i <= 100; i++) sum += i;\nsum' },
      result: '5050',
    },
  ],
  async execute({ code, timeout }, { evaluator, abortSignal, callTool }) {
    const timeoutMs = timeout === undefined ? JS_EVAL_TIMEOUT_MS : timeout * 1000;
    const outcome = await evaluator.evaluate(code, { abortSignal, timeoutMs, files: filesThrough(callTool) });
    return { content: formatOutcome(outcome), data: outcome };
  },
});

/** The files as the file tools give them: with their permissions, limits and history. */
function filesThrough(callTool: CallTool): SandboxFiles {
  const call = async (...[toolName, input, onWait]: Parameters<CallTool>): Promise<ToolOutput> => {
    const result = await callTool(toolName, input, onWait);
    if (result.type === 'tool-error') throw new Error(result.message);
    return result.output;
  };
  return {
    async read(path, onWait) {
      return (await call('read_file', { path, limit: Number.MAX_SAFE_INTEGER }, onWait)).content;
    },
    async write(path, text, onWait) {
      await call('write_file', { path, content: text }, onWait);
    },
    async list(path, onWait) {
      const { data } = await call('list_directory', { path, limit: LIST_DIRECTORY_MAX }, onWait);
      return listedSchema.parse(data).entries;
    },
  };
}

const listedSchema = z.object({
  entries: z.array(z.object({ name: z.string(), type: z.string(), size: z.number() })),
});

/** For the model, with the first result of a session. */
export const NEW_SESSION = '[A new session began with this call: nothing of earlier calls is there.]';

function formatOutcome({ value, console, isNewSession, hasNoDom }: JavaScriptOutcome): string {
  const printed = console.map(lineText).join('\n');
  const text = value === undefined ? 'undefined' : valueText(value);
  const notices = [
    ...(isNewSession ? [NEW_SESSION] : []),
    ...(hasNoDom ? ['[This browser runs the code in a worker: there is no document and no window.]'] : []),
  ];
  const result = printed === '' ? text : text === 'undefined' ? printed : `${printed}\n=> ${text}`;
  return [result, ...notices].join('\n');
}

import * as z from 'zod';
import {
  type JavaScriptOutcome,
  javaScriptOutcomeSchema,
  lineText,
  valueText,
} from '../capabilities/rendered-value.ts';
import type { SandboxFetch, SandboxFiles } from '../capabilities/sandbox.ts';
import { rawAnswerSchema } from '../capabilities/web.ts';
import { contentText } from '../core/content.ts';
import { type CallTool, defineTool, type Tool } from '../core/tool.ts';
import { ToolFailure, type ToolOutput } from '../core/tool-call.ts';
import { LIST_DIRECTORY_MAX, listedSchema } from '../files/list-directory.ts';
import { SOURCE } from '../files/read-document.ts';

/** The default time limit for code that the model runs, in milliseconds. */
export const JS_EVAL_TIMEOUT_MS = 30_000;
/** The longest time limit that the model may set for code, in milliseconds. */
export const JS_EVAL_MAX_TIMEOUT_MS = 120_000;

/** The description of the place where code runs, for the model. */
interface CodePlace {
  /** The name of the place, which completes the sentence “It runs in”. */
  name: string;
  /** A sentence about what the code can and cannot use there. */
  features: string;
  /** The parts whose built-ins the code has, which complete the sentence “The only built-ins are those of”. */
  builtIns: string;
}

/**
 * The tool `browser_js_eval`, which runs JavaScript in the thread's sandbox session. An uncaught exception is an error with its
 * line; code that is still running at the time limit fails as `timed-out`, and its session ends. The data of the result is a
 * `JavaScriptOutcome`.
 */
export const browserJsEval = evalTool({
  name: 'a sandboxed browser window of its own',
  features: 'There is a DOM (document, canvas), but no network, storage, dialogs or modules by URL.',
  builtIns: 'JavaScript and browsers',
});

/**
 * The same tool as `browserJsEval`, under the same name, for hosts without a browser: the code runs in a process, and the
 * descriptions for the model say so.
 */
export const processJsEval = evalTool({
  name: 'a separate process on the user’s machine, without a browser',
  features:
    'There is no DOM (no document, no window), no network, no storage, and no modules, not even those of Node.js.',
  builtIns: 'JavaScript, without a document, a window, or modules of Node.js',
});

/** Makes the tool that runs code, for the place where the code runs. */
function evalTool(place: CodePlace): Tool {
  return defineTool({
    name: 'browser_js_eval',
    description:
      'Runs JavaScript and returns the value of the last expression and the console output. ' +
      `It runs in ${place.name}. Top-level await works. Declarations persist for later calls in this conversation and may be redeclared; the result says when a new session began. ` +
      `${place.features} ` +
      'await vfs.readFile(path), vfs.writeFile(path, text) and vfs.list(path) work on the workspace’s text files. ' +
      `After ${JS_EVAL_TIMEOUT_MS / 1000} seconds (see timeout), the code and its session are terminated. An uncaught exception is returned as an error with its line number.`,
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
          `Seconds after which the code is terminated; defaults to ${JS_EVAL_TIMEOUT_MS / 1000}, at most ${JS_EVAL_MAX_TIMEOUT_MS / 1000}.`,
        ),
    }),
    outputSchema: javaScriptOutcomeSchema,
    needs: ['sandbox'],
    presentation: {
      verb: 'run-code',
      target: 'code',
      input: { as: 'code', argument: 'code', language: 'javascript' },
      result: 'value',
    },
    examples: [
      {
        description: 'Compute a number',
        ask: 'What’s 4,305 times 76?',
        input: { code: '4305 * 76' },
        result: '327180',
        answer: '327180.',
      },
      {
        description: 'Add the multiples of 7 up to 100',
        ask: '1 到 100 之间 7 的倍数之和是多少？',
        input: {
          code: 'function isMultiple(n) {\n  return n % 7 === 0;\n}\nlet sum = 0;\nfor (let n = 1; n <= 100; n++) if (isMultiple(n)) sum += n;\nsum',
        },
        result: '735',
        answer: '和是 735。',
      },
    ],
    async execute({ code, timeout }, { sandbox, abortSignal, callTool, hasRunBefore }) {
      const timeoutMs = timeout === undefined ? JS_EVAL_TIMEOUT_MS : timeout * 1000;
      const evaluation = sandbox.evaluate(code, {
        abortSignal,
        timeoutMs,
        files: filesThrough(callTool),
        fetch: fetchThrough(callTool),
      });
      // Without earlier calls, nothing can be missing, and small models take the notice for the reason of an error.
      const tellsSession = hasRunBefore('browser_js_eval');
      const outcome = await evaluation.catch((error: unknown) => Promise.reject(explained(error, tellsSession, place)));
      return { content: formatOutcome(outcome, tellsSession) + withoutValue(code, outcome), data: outcome };
    },
  });
}

/**
 * Returns the functions with which code in the sandbox accesses files. For each access, they call a file tool with `callTool`,
 * from within the call that runs the code, so that the tool's permissions, limits and history apply to the code too. They
 * reject with the tool's message if that call fails.
 */
export function filesThrough(callTool: CallTool): SandboxFiles {
  const call = async (...[toolName, input, onWait]: Parameters<CallTool>): Promise<ToolOutput> => {
    const result = await callTool(toolName, input, onWait);
    if (result.type === 'tool-error') throw new Error(result.message);
    return result.output;
  };
  return {
    async read(path, onWait) {
      const input = { path, limit: Number.MAX_SAFE_INTEGER, pages: SOURCE };
      return contentText((await call('read_file', input, onWait)).content);
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

/**
 * Returns the function with which code in the sandbox sends requests. Each request is an inner call of `fetch_url`, with its
 * permission and limits; without that tool, every request is denied.
 */
export const fetchThrough =
  (callTool: CallTool): SandboxFetch =>
  async (url, method, onWait) => {
    const result = await callTool('fetch_url', { url, as: method === 'HEAD' ? 'head' : 'raw' }, onWait);
    if (result.type === 'tool-result') return rawAnswerSchema.parse(result.output.data);
    if (result.code === 'no-such-tool') return { denied: 'There is no network here.' };
    if (result.code === 'denied') return { denied: result.message };
    throw new Error(result.message);
  };

/** Matches errors about a name that is not defined, as Safari words them, and as Chromium and Firefox do. */
const UNDEFINED_NAME = /^ReferenceError: (?:Can't find variable: (\S+)$|(\S+) is not defined$)/m;

/**
 * Returns an error of an evaluation as the model gets it: with a hint if a name is undefined, because small models assume
 * helpers that do not exist, and repeat the same code; and without `NEW_SESSION` unless `tellsSession`.
 */
function explained(error: unknown, tellsSession: boolean, { builtIns }: CodePlace): unknown {
  if (!(error instanceof ToolFailure)) return error;
  const message = tellsSession ? error.message : error.message.replace(`\n${NEW_SESSION}`, '');
  const [, inSafari, name = inSafari] = UNDEFINED_NAME.exec(message) ?? [];
  const hint = name === undefined ? '' : `\n[Define ${name} in the code: the only built-ins are those of ${builtIns}.]`;
  return message + hint === error.message ? error : new ToolFailure(error.code, message + hint, error.files);
}

/** The end of the code in which a declaration is looked for, in characters. */
const LAST_CHARACTERS = 500;
const LAST_DECLARATION = /(?:^|[;\n}])\s*(?:const|let|var)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=[^\n;]*;?$/u;

/** A hint for the model how to get a value, if its code ends with a declaration and printed nothing; otherwise empty. */
function withoutValue(code: string, { value, console }: JavaScriptOutcome): string {
  if (console.length > 0 || (value !== undefined && valueText(value) !== 'undefined')) return '';
  const name = LAST_DECLARATION.exec(code.trimEnd().slice(-LAST_CHARACTERS))?.[1];
  return name === undefined ? '' : `\n[A declaration has no value. To get it, end the code with ${name}.]`;
}

/** The notice for the model in the first result of a session, if code ran in an earlier session of the conversation. */
export const NEW_SESSION = '[A new session began with this call: nothing from earlier calls is available.]';

/** The notice for the model in the first result of each session whose code runs in a process. */
const IN_PROCESS = '[This ran in a separate process without a browser: there is no document and no window.]';

function formatOutcome(outcome: JavaScriptOutcome, tellsSession: boolean): string {
  const { value, console, isNewSession, hasNoDom, place } = outcome;
  const printed = console.map(lineText).join('\n');
  const text = value === undefined ? 'undefined' : valueText(value);
  const notices = [
    ...(isNewSession && tellsSession ? [NEW_SESSION] : []),
    ...(hasNoDom ? ['[This browser runs the code in a worker: there is no document and no window.]'] : []),
    ...(isNewSession && place === 'process' ? [IN_PROCESS] : []),
  ];
  const result = printed === '' ? text : text === 'undefined' ? printed : `${printed}\n=> ${text}`;
  return [result, ...notices].join('\n');
}

import * as z from 'zod';
import { type ConsoleLine, defineTool } from './tool.ts';

/** How long code may run before it is ended. */
export const JS_EVAL_TIMEOUT_MS = 30_000;

export const browserJsEval = defineTool({
  name: 'browser_js_eval',
  description:
    'Runs JavaScript in a sandbox in the person’s browser and returns the value of the last expression and what the code printed with console. ' +
    'Top-level await works. Nothing persists between calls. The code cannot reach the network, the page, or the workspace files. ' +
    `It is ended after ${JS_EVAL_TIMEOUT_MS / 1000} seconds. An exception is returned as an error with its message.`,
  toolset: 'browser',
  effect: 'execute',
  inputSchema: z.object({
    code: z
      .string()
      .min(1, 'must not be empty')
      .describe('JavaScript source. End with an expression; its value is the result.'),
  }),
  primaryArgument: 'code',
  examples: [
    {
      description: 'Add the numbers from 1 to 100',
      input: { code: 'let sum = 0;\nfor (let i = 1; i <= 100; i++) sum += i;\nsum' },
      result: '5050',
    },
  ],
  async execute({ code }, { evaluator, abortSignal }) {
    const outcome = await evaluator.evaluate(code, { abortSignal, timeoutMs: JS_EVAL_TIMEOUT_MS });
    return { content: formatOutcome(outcome.value, outcome.console), data: outcome };
  },
});

function formatOutcome(value: string | undefined, lines: readonly ConsoleLine[]): string {
  const printed = lines.map(({ level, text }) => (level === 'log' ? text : `[${level}] ${text}`)).join('\n');
  if (printed === '') return value ?? 'undefined';
  return value === undefined || value === 'undefined' ? printed : `${printed}\n=> ${value}`;
}

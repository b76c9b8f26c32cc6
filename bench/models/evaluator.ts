import { spawn } from 'node:child_process';
import type { JavaScriptEvaluator } from '#lib/tools/capabilities/sandbox.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';

/** The program that runs the code: it gets it on its standard input, and writes the value as text. */
const PROGRAM = `
let code = '';
process.stdin.on('data', (piece) => { code += piece; });
process.stdin.on('end', async () => {
  const { inspect } = await import('node:util');
  const { runInThisContext } = await import('node:vm');
  const lines = [];
  for (const level of ['log', 'info', 'warn', 'error', 'debug'])
    console[level] = (...values) => lines.push(values.map((value) => typeof value === 'string' ? value : inspect(value)).join(' '));
  let answer;
  try {
    const value = await runInThisContext(code);
    answer = { value: typeof value === 'string' ? value : inspect(value), lines };
  } catch (error) {
    answer = { error: String(error), lines };
  }
  process.stdout.write(JSON.stringify(answer));
});
`;

/** The longest that code may run, in milliseconds. */
const TIMEOUT_MS = 10_000;

interface Answer {
  value?: string;
  error?: string;
  lines: string[];
}

/**
 * Runs JavaScript in a process of its own, which may neither read nor write files nor start processes, but can reach the
 * network. Good enough for what models write for the benchmark's tasks; there is no session, no document, and no `vfs`.
 */
export const processEvaluator: JavaScriptEvaluator = {
  async evaluate(code, { timeoutMs }) {
    const { value, error, lines } = await run(code, Math.min(timeoutMs, TIMEOUT_MS));
    if (error !== undefined) throw new ToolFailure('failed', error);
    return {
      value: { type: 'text', text: value ?? 'undefined' },
      console: lines.map((text) => ({ level: 'log', values: [{ type: 'string', text, length: text.length }] })),
    };
  },
};

function run(code: string, timeout: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const child = spawn(process.execPath, ['--permission', '--input-type=module', '--eval', PROGRAM], {
    env: { NODE_ENV: 'production' },
    timeout,
    // Code can ignore any other.
    killSignal: 'SIGKILL',
  });
  child.stderr.resume();
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    output += piece;
  });
  child.on('error', reject);
  child.on('close', () => {
    try {
      resolve(JSON.parse(output) as Answer);
    } catch {
      reject(
        new ToolFailure('timed-out', `The code ran longer than ${timeout / 1_000} seconds, or ended its process.`),
      );
    }
  });
  child.stdin.on('error', () => undefined).end(code);
  return promise;
}

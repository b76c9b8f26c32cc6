import { Sandbox } from '#lib/sandbox/sandbox.ts';
import { valueText } from '#lib/tools/capabilities/rendered-value.ts';
import type { EvaluationOptions } from '#lib/tools/capabilities/sandbox.ts';

export interface Results {
  /** In milliseconds: a session's first evaluation including its frame, and `1 + 1` in an existing session. */
  cold: number[];
  warm: number[];
  /** Milliseconds that the same computation takes in the page and in the sandbox, alternately. */
  sieveInPage: number[];
  sieveInSandbox: number[];
}

/** The number of times that each measurement is repeated. */
export interface Counts {
  cold: number;
  warm: number;
  sieve: number;
}

const SIEVE = `(() => {
  const start = performance.now();
  const composite = new Uint8Array(5_000_001);
  let count = 0;
  for (let i = 2; i <= 5_000_000; i++) {
    if (composite[i]) continue;
    count++;
    for (let j = i * 2; j <= 5_000_000; j += i) composite[j] = 1;
  }
  if (count !== 348513) throw new Error('wrong');
  return performance.now() - start;
})()`;

const NO_FILES = () => Promise.reject(new Error('no files'));
const options: EvaluationOptions = {
  abortSignal: new AbortController().signal,
  timeoutMs: 30_000,
  files: { read: NO_FILES, write: NO_FILES, list: NO_FILES },
};

// Evaluates globally, like the sandbox.
const { eval: evaluate } = window;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function run(counts: Counts): Promise<Results> {
  const sandbox = new Sandbox(undefined);
  const results: Results = { cold: [], warm: [], sieveInPage: [], sieveInSandbox: [] };
  for (let index = 0; index < counts.cold; index++)
    results.cold.push(await timed(() => sandbox.session(`cold ${index}`).evaluate('1', options)));
  const session = sandbox.session('warm');
  await session.evaluate('1', options);
  for (let index = 0; index < counts.warm; index++)
    results.warm.push(await timed(() => session.evaluate('1 + 1', options)));
  for (let index = 0; index < counts.sieve; index++) {
    // The source is new each time, as in the sandbox, so that no compiled code is reused.
    results.sieveInPage.push(evaluate(`${SIEVE}\n// ${index}`));
    const { value } = await session.evaluate(SIEVE, options);
    results.sieveInSandbox.push(Number(value === undefined ? Number.NaN : valueText(value)));
  }
  return results;
}

Object.assign(window, { runSandbox: run });

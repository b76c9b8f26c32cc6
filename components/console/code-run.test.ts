import { expect, test, vi } from 'vitest';
import type { ConsoleLine } from '#lib/tools/capabilities/rendered-value.ts';
import { CodeRun, type CodeRunContext, RUN_LINES_MAX } from './code-run.ts';
import type { PersonsOutcome } from './evaluate.ts';

const line = (text: string): ConsoleLine => ({ level: 'log', values: [{ type: 'string', text, length: text.length }] });

/** A run, what its code has, and the function that ends its code. */
function start() {
  const { promise, resolve } = Promise.withResolvers<PersonsOutcome>();
  let given: CodeRunContext | undefined;
  const run = new CodeRun((context) => {
    given = context;
    return promise;
  });
  if (given === undefined) throw new Error('The code was not run.');
  return { run, context: given, end: resolve };
}

test('only the newest lines are shown, and the number of the others', async () => {
  const { run, context, end } = start();
  for (let n = 0; n < RUN_LINES_MAX + 5; n++) context.onPrint(line(`${n}`));
  end({ type: 'value', value: undefined });
  await vi.waitFor(() => expect(run.getState().status).toBe('done'));
  context.onPrint(line('late'));
  await vi.waitFor(() => expect(run.getState().left).toBe(6));
  const { lines } = run.getState();
  expect(lines.map(({ number }) => number)).toEqual(Array.from({ length: RUN_LINES_MAX }, (_, index) => index + 6));
});

test('code that still waits for other code is stopped at once', async () => {
  const { run, context, end } = start();
  run.stop();
  expect([run.getState().status, context.abortSignal.aborted]).toEqual(['stopped', true]);
  end({ type: 'failure', text: 'Stopped by the user.' });
  await expect(context.ask({ host: 'a.example', url: 'https://a.example' }, false)).resolves.toBe(false);
  expect(run.getState()).toMatchObject({ status: 'stopped', failure: undefined });
});

test('stopping the code denies the request that it asks for', async () => {
  const { run, context } = start();
  const answer = context.ask({ host: 'a.example', url: 'https://a.example' }, true);
  expect(run.getState().asked).toMatchObject({ hasModelCode: true });
  run.stop();
  await expect(answer).resolves.toBe(false);
  expect(run.getState().asked).toBeUndefined();
});

test('code that cannot be run has failed, with the reason', async () => {
  const run = new CodeRun(() => Promise.reject(new Error('No server.')));
  await vi.waitFor(() => expect(run.getState()).toMatchObject({ status: 'failed', failure: 'No server.' }));
});

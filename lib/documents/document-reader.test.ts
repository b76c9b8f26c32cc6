import { expose } from 'comlink';
import { expect, test } from 'vitest';
import { DocumentReader } from './document-reader.ts';
import { NOT_LOADED, OUT_OF_MEMORY } from './reading-problem.ts';

/** A worker in this thread, which fails as soon as it is started or when it reads. */
function failing(when: 'at-once' | 'reading') {
  const { port1, port2 } = new MessageChannel();
  const fail = () => port1.dispatchEvent(new Event('error'));
  const open = () => {
    fail();
    return new Promise(() => undefined);
  };
  if (when === 'reading') expose({ ready: () => undefined, open }, port2);
  else queueMicrotask(fail);
  port1.start();
  const terminate = () => {
    port1.close();
    port2.close();
  };
  return Object.assign(port1, { terminate });
}

test.each([
  ['at-once', NOT_LOADED],
  ['reading', OUT_OF_MEMORY],
] as const)('a worker that fails %s is reported as what it is', async (when, { problem, message }) => {
  const reader = new DocumentReader(() => failing(when));
  const reading = reader.open(
    { data: new Uint8Array(1), format: 'pdf' },
    { abortSignal: new AbortController().signal },
  );
  await expect(reading).rejects.toMatchObject({ problem, message });
});

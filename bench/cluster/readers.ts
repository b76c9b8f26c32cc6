import { delay } from '#lib/base/delay.ts';
import type { Cluster } from '#scripts/lib/cluster.ts';
import { chatRequestOf } from './requests.ts';

/** The delays of the chunks of one timed answer, in milliseconds, at the process that owns its run and at another one. */
export async function chunkDelays(
  { members }: Pick<Cluster, 'members'>,
  question: string,
): Promise<{ owner: number[]; elsewhere: number[] }> {
  const [owner, other] = members;
  if (owner === undefined || other === undefined) throw new Error('There are fewer than two processes.');
  const request = chatRequestOf(question);
  const posted = await post(`${owner.url}/api/chat`, request);
  const attached = await fetch(`${other.url}/api/chat/${request.threadId}?run=${request.runId}&from=0`);
  const [here, there] = await Promise.all([delaysIn(posted), delaysIn(attached)]);
  // Chunks from before the reader came do not count.
  return { owner: here.slice(5), elsewhere: there.slice(5) };
}

/** The times in milliseconds that runs take to end after another process was asked to stop them. */
export async function stopDelays({ members }: Pick<Cluster, 'members'>, times: number): Promise<number[]> {
  const [owner, other] = members;
  if (owner === undefined || other === undefined) throw new Error('There are fewer than two processes.');
  const delays: number[] = [];
  for (let n = 0; n < times; n++) {
    const request = chatRequestOf(`stop ${n}, turn 0`);
    const posted = await post(`${owner.url}/api/chat`, request);
    const reader = posted.body?.getReader();
    await reader?.read();
    const startedAt = performance.now();
    await fetch(`${other.url}/api/chat/${request.threadId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'cancel', runId: request.runId }),
    });
    delays.push(performance.now() - startedAt);
    await reader?.cancel();
  }
  return delays;
}

/**
 * Reads `streams` answers at once, which are asked for within `beginMs`. Returns the delays of all chunks, in
 * milliseconds, from the time at which all answers are being written until the first of them ends. `open`: asks for one answer.
 */
export async function delaysTogether(
  streams: number,
  beginMs: number,
  open: () => Promise<Response>,
): Promise<number[]> {
  let running = 0;
  let isOver = false;
  const delays = await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      await delay((index * beginMs) / streams);
      const response = await open();
      running += 1;
      const own = await delaysIn(response, () => running === streams && !isOver);
      isOver = true;
      return own;
    }),
  );
  return delays.flat();
}

export const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/**
 * Reads a timed answer, and returns how long ago each of its chunks was written when it arrived, in milliseconds. `counts`:
 * checks whether those that arrive now count.
 */
async function delaysIn(response: Response, counts = () => true): Promise<number[]> {
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`);
  const delays: number[] = [];
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const now = Date.now();
    if (!counts()) continue;
    for (const [, time] of text.matchAll(/@(\d{13}) /g)) delays.push(now - Number(time));
  }
  return delays;
}

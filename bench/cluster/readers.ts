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
  const posted = await post(owner.url, request);
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
    const posted = await post(owner.url, request);
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

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(`${url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Reads the events of a run, and returns how long ago each chunk of a timed answer was written when it arrived. */
async function delaysIn(response: Response): Promise<number[]> {
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`);
  const delays: number[] = [];
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const now = Date.now();
    for (const [, time] of text.matchAll(/@(\d{13}) /g)) delays.push(now - Number(time));
  }
  return delays;
}

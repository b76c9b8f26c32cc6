import { delay } from '#lib/base/delay.ts';
import { isDraining } from '#server/runs/drain.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/** The longest time that the database may take to answer, in milliseconds. */
const ANSWER_MS = 2_000;

const answer = (status: number, text: string): Response =>
  new Response(`${text}\n`, { status, headers: { 'cache-control': 'no-store' } });

/**
 * Says whether a load balancer should send requests here: 200 if the process is not being stopped and its database answers;
 * otherwise 503 with the reason, `draining` or `database`. Responds whatever host the load balancer names.
 */
export async function GET(): Promise<Response> {
  if (isDraining()) return answer(503, 'draining');
  try {
    const { checkpointer } = await services();
    const isThere = await Promise.race([checkpointer.ping().then(() => true), delay(ANSWER_MS).then(() => false)]);
    return isThere ? answer(200, 'ready') : answer(503, 'database');
  } catch {
    // The log has the reason as soon as somebody needs the database.
    return answer(503, 'database');
  }
}

import { delay } from '#lib/base/delay.ts';
import { isDraining } from '#server/runs/drain.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/** The longest time that the database may take to answer, in milliseconds. */
const ANSWER_MS = 2_000;

const answer = (status: number, text: string): Response =>
  new Response(`${text}\n`, { status, headers: { 'cache-control': 'no-store' } });

/**
 * Tells a load balancer that asks for `/readyz` whether to send requests to this process. Responds 200 if so. Otherwise,
 * responds 503 with a word as the body: `draining` if the process is being stopped, or else `database` if its database fails or
 * does not answer in time. Accepts any `Host` header, while most routes refuse hosts that the studio does not know.
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

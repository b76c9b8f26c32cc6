import { messageOf } from '#lib/base/message-of.ts';
import { PROBLEM_TYPE, problemDetailsSchema } from '#lib/wire/problem.ts';
import { ConnectionError, ServerProblem } from './transport.ts';

/**
 * Returns the path of a thread on the studio's server. `chat`: to rejoin, cancel, and acknowledge the thread's runs (new runs
 * are posted to a path without an id); `threads`: to read and delete the server's state of the thread.
 */
export const threadUrl = (kind: 'chat' | 'threads', threadId: string): string =>
  `/api/${kind}/${encodeURIComponent(threadId)}`;

/**
 * Fetches from the studio’s own server. Rejects with `ServerProblem` for a response that is a failure, with `ConnectionError`
 * if there is no response, if there is only that of a proxy that cannot reach the server, or if the studio is not ready for the
 * moment, or as `fetch` does if the signal in `init` has fired.
 */
export async function serverFetch(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, headers: { accept: `${PROBLEM_TYPE}, */*`, ...init.headers } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ConnectionError(messageOf(error));
  }
  const isProblem = response.headers.get('content-type')?.startsWith(PROBLEM_TYPE) === true;
  if (response.ok && !isProblem) return response;
  // Other servers, such as proxies, do not answer with JSON; the status still says what happened.
  const body: unknown = await response.json().catch(() => undefined);
  const problem = problemDetailsSchema.safeParse(body);
  // The studio is being stopped, or its database is away: another process, or a later attempt, will do.
  if (problem.success && problem.data.status === 503)
    throw new ConnectionError(problem.data.detail, { isRefused: true });
  if (problem.success)
    throw new ServerProblem(problem.data.status, problem.data.code, problem.data.detail, problem.data.missing);
  const status = `${response.status} ${response.statusText}`.trimEnd();
  const detail = `The server responded with ${status}.`;
  if (isFromGateway(response)) throw new ConnectionError(detail);
  throw new ServerProblem(response.status, 'internal', detail);
}

/**
 * The statuses with which a proxy says that the server behind it did not answer, or that the request should be sent again
 * later. Those from 520 are Cloudflare's.
 */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([
  408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530,
]);

/**
 * Checks whether a failure without problem details comes from a proxy and says that the studio could not be reached for the
 * moment. Every page of HTML with a status of 500 or more counts, because the studio's API sends none.
 */
function isFromGateway({ status, headers }: Response): boolean {
  return (
    GATEWAY_STATUSES.has(status) || (status >= 500 && headers.get('content-type')?.startsWith('text/html') === true)
  );
}

/**
 * Deletes the state of a thread on the server, also while the page is being left. Rejects with `ServerProblem` or
 * `ConnectionError`.
 */
export async function deleteThread(threadId: string): Promise<void> {
  // It may be the last thing that the page does.
  await serverFetch(threadUrl('threads', threadId), { method: 'DELETE', keepalive: true });
}

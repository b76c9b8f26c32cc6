import { messageOf } from '#lib/base/message-of.ts';
import { PROBLEM_TYPE, problemDetailsSchema } from '#lib/wire/problem.ts';
import { ConnectionError, ServerProblem } from './transport.ts';

/** The path of a thread on the studio's server: `chat` is that of its runs, `threads` that of its state. */
export const threadUrl = (kind: 'chat' | 'threads', threadId: string): string =>
  `/api/${kind}/${encodeURIComponent(threadId)}`;

/**
 * Fetches from the studio’s own server. Rejects with `ServerProblem` for a response that is a failure, with `ConnectionError`
 * if there is no response, or as `fetch` does if the signal in `init` has fired.
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
  if (problem.success)
    throw new ServerProblem(problem.data.status, problem.data.code, problem.data.detail, problem.data.missing);
  throw new ServerProblem(
    response.status,
    'internal',
    `The server responded with ${response.status} ${response.statusText}.`,
  );
}

/** Deletes the state of a thread on the server. Rejects with `ServerProblem` or `ConnectionError`. */
export async function deleteThread(threadId: string): Promise<void> {
  // It may be the last thing that the page does.
  await serverFetch(threadUrl('threads', threadId), { method: 'DELETE', keepalive: true });
}

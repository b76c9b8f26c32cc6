import { turnOf } from '#lib/agent/step.ts';
import type { ThreadStateAnswer } from '#lib/wire/thread-state.ts';
import { readThread } from '#server/graph/graph.ts';
import { guarded } from '#server/http/guard.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { readId } from '#server/http/read-id.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

interface Context {
  params: Promise<{ threadId: string }>;
}

/**
 * Responds with the turn in a thread's checkpoint (the state that the server keeps of the thread) and with the checkpoint's
 * revision, from which a browser restores what it missed; with 404 if there is no checkpoint.
 */
export const GET = guarded(services, async (_request, { params }: Context) => {
  const { checkpointer } = await services();
  const threadId = readId((await params).threadId);
  const state = await readThread(checkpointer, threadId);
  if (state === undefined) throw new HttpProblem(404, 'no-such-thread', 'The server has no data for this thread.');
  const answer: ThreadStateAnswer = { revision: state.revision, turn: turnOf(state) };
  return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
});

/**
 * Deletes what the server has of a thread: cancels its run, and deletes its checkpoint, which is the state that the server
 * keeps of the thread. The run cannot store it again.
 */
export const DELETE = guarded(services, async (_request, { params }: Context) => {
  const { runs, checkpointer } = await services();
  const threadId = readId((await params).threadId);
  await runs.forget(threadId);
  await checkpointer.deleteThread(threadId);
  return new Response(null, { status: 204 });
});

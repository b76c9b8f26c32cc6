import * as z from 'zod';
import { idSchema } from '#lib/wire/chat.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { readId } from '#server/http/read-id.ts';
import { RUN_STREAM_HEADERS } from '#server/runs/run.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

interface Context {
  params: Promise<{ threadId: string }>;
}

const querySchema = z.object({ run: idSchema, from: z.coerce.number().int().min(0).default(0) });

/**
 * Streams the chunks of the run `?run=` from number `from` on, including those still to come, to a browser that reattaches
 * to it. Responds with 404 if the server no longer has the run.
 */
export const GET = guarded(services, async (request, { params }: Context) => {
  const { runs } = await services();
  const threadId = readId((await params).threadId);
  const query = querySchema.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!query.success)
    throw new HttpProblem(400, 'invalid-query', 'Specify the run as ?run=<id>, and optionally &from=<number>.');
  const run = await runs.find(threadId, query.data.run);
  if (run === undefined) throw new HttpProblem(404, 'no-such-run', 'The server no longer has this run.');
  return new Response(run.stream(query.data.from), { headers: RUN_STREAM_HEADERS });
});

const commandSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('cancel'), runId: idSchema.optional() }),
  z.object({ type: z.literal('acknowledge'), runId: idSchema }),
]);

/**
 * Depending on the command in the request, cancels the thread's run and waits for its end, or forgets a finished run,
 * because a browser has stored it.
 */
export const POST = guarded(services, async (request, { params }: Context) => {
  const { runs, env } = await services();
  const threadId = readId((await params).threadId);
  const command = await readJson(request, commandSchema, env.REQUEST_MAX_BYTES);
  if (command.type === 'cancel') await runs.cancel(threadId, command.runId);
  else await runs.acknowledge(threadId, command.runId);
  return new Response(null, { status: 204 });
});

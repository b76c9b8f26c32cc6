import { chatRequestSchema } from '#lib/wire/chat.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { personalKeyOf, summaryKeyOf } from '#server/http/personal-key.ts';
import { RUN_STREAM_HEADERS } from '#server/runs/run.ts';
import { startChat } from '#server/runs/start-chat.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/**
 * Starts a run, in which the agent works on a turn until the turn ends or waits for calls in the page, and streams the run's
 * chunks. The run continues if the connection ends.
 */
export const POST = guarded(services, async (request) => {
  const studio = await services();
  const body = await readJson(request, chatRequestSchema, studio.env.REQUEST_MAX_BYTES, studio.contents);
  const run = await startChat(studio, body, { model: personalKeyOf(request), summaries: summaryKeyOf(request) });
  return new Response(run.stream(0), { headers: RUN_STREAM_HEADERS });
});

import { relayRequestSchema } from '#lib/wire/mcp.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { stepErrorsAsProblems } from '#server/http/personal-key.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/** Passes a page's request on to a tool server, an HTTP API, or the web, where the page cannot send it itself. */
export const POST = guarded(services, async (request) => {
  const { env, relay } = await services();
  const body = await readJson(request, relayRequestSchema, env.REQUEST_MAX_BYTES);
  return stepErrorsAsProblems(() => relay.pass(body, request.signal));
});

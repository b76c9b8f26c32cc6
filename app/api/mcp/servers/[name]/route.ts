import * as z from 'zod';
import { PROGRAM_LIMITS } from '#lib/sources/mcp/programs/limits.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

interface Context {
  params: Promise<{ name: string }>;
}

/** Answers a page's requests to a tool server of the studio's operator, by the HTTP transport of MCP. */
const answer = guarded(services, async (request, { params }: Context) => {
  const { env, toolServers } = await services();
  const { name } = await params;
  const maxBytes = Math.min(env.REQUEST_MAX_BYTES, PROGRAM_LIMITS.messageBytes);
  return toolServers.answer(name, request, () => readJson(request, z.unknown(), maxBytes));
});

export { answer as DELETE, answer as GET, answer as POST };

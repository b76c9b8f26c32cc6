import { keywordsOf } from '#lib/tools/schema/json-schema.ts';
import { MCP_LIMITS } from './limits.ts';

/** Statuses besides 404 with which servers answer requests of a session that they do not know, such as after a restart. */
const STATUSES: ReadonlySet<number> = new Set([400, 401]);

/**
 * Matches answers that say that the session is not known. The protocol's own SDK says “No valid session ID provided”, or
 * “Server not initialized”.
 */
const SAYS_SO =
  /\bsession\b.{0,60}(unknown|not found|no(t)? (longer )?valid|invalid|expired|missing|does(n.t| not) exist|terminated|closed|no longer)|(unknown|no valid|invalid|expired|missing|terminated|no such|not find)\b.{0,40}\bsession\b|server not initialized/is;

/**
 * Wraps `fetch` for the requests of a session. Some servers answer with the status 400 or 401, and only say in words that they
 * have forgotten the session. Such an answer gets the status 404, which the protocol requires for that.
 */
export const sessionFetch =
  (request: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await request(input, init);
    if (!STATUSES.has(response.status) || !new Headers(init?.headers).has('mcp-session-id')) return response;
    const text = await response.text();
    const { status, statusText, headers } = response;
    // Its other headers may ask for a login.
    return saysForgotten(text)
      ? new Response(text, { status: 404 })
      : new Response(text, { status, statusText, headers });
  };

/**
 * Checks whether an answer says that the session is not known. An answer that repeats the id of its request does not count,
 * because the server has read that request.
 */
function saysForgotten(text: string): boolean {
  const { id } = answerIn(text) ?? {};
  return (id === undefined || id === null) && SAYS_SO.test(text.slice(0, MCP_LIMITS.description));
}

/** Returns the reason that the body of an error response gives, from its JSON or its plain text; empty if it gives none. */
export function reasonIn(text: string): string {
  const answer = answerIn(text);
  const message = keywordsOf(answer?.error)?.message ?? answer?.error ?? answer?.message;
  if (typeof message === 'string') return message;
  const isPlain = answer === undefined && !/[<{]/.test(text) && !/^\s*(bad request\.?)?\s*$/i.test(text);
  return isPlain ? text.trim() : '';
}

function answerIn(text: string): { readonly [name: string]: unknown } | undefined {
  try {
    return keywordsOf(JSON.parse(text));
  } catch {
    // Servers may answer in plain text.
    return undefined;
  }
}

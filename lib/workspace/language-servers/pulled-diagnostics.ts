import { setTimeout } from 'node:timers/promises';
import { untilAborted } from '#lib/base/until-aborted.ts';
import { PULLS_AT_ONCE, RETRY_PAUSE_MS } from './limits.ts';
import { pulledDiagnostics, RETRY_CODES, type ServerDiagnostic } from './protocol.ts';
import { ServerErrorResponse } from './server-failure.ts';
import type { ServerSession } from './server-session.ts';

/**
 * Asks a language server for the problems in each of the open documents `uris`, and returns them in this order. Repeats a
 * request as long as the server says that it cannot answer it yet. `identifier`: that of the server's diagnostics, as it
 * stated when it started. Rejects with `ServerErrorResponse`, or with the reason of `signal` or of `session.ended`.
 */
export async function pullDiagnostics(
  session: ServerSession,
  uris: readonly string[],
  identifier: string | undefined,
  signal: AbortSignal,
): Promise<(readonly ServerDiagnostic[])[]> {
  const found: (readonly ServerDiagnostic[])[] = [];
  for (let start = 0; start < uris.length; start += PULLS_AT_ONCE) {
    const some = uris.slice(start, start + PULLS_AT_ONCE);
    found.push(...(await Promise.all(some.map((uri) => pull(session, { textDocument: { uri }, identifier }, signal)))));
  }
  return found;
}

/** Asks for the problems in one document, again and again while the server says that it cannot answer yet. */
async function pull(session: ServerSession, params: object, signal: AbortSignal): Promise<readonly ServerDiagnostic[]> {
  for (;;) {
    try {
      return (await session.request('textDocument/diagnostic', params, pulledDiagnostics, signal)).items;
    } catch (error) {
      if (!(error instanceof ServerErrorResponse && RETRY_CODES.has(error.code))) throw error;
      await untilAborted(setTimeout(RETRY_PAUSE_MS), signal);
    }
  }
}

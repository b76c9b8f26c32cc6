import type { Log } from '#log/log.ts';
import { redact } from '#log/redact.ts';
import { STUDIO_SERVER_LIMITS } from './limits.ts';

const MINUTE_MS = 60_000;

/** Returns a function that logs lines of a program's standard error: without secrets, and a limited number a minute. */
export function errorLog(log: Pick<Log, 'info'>, server: string, now: () => number = Date.now): (line: string) => void {
  let since = now();
  let lines = 0;
  return (line) => {
    if (now() - since >= MINUTE_MS) {
      const left = lines - STUDIO_SERVER_LIMITS.errorLines;
      if (left > 0) log.info({ server, lines: left }, 'lines of a tool server were left out');
      [since, lines] = [now(), 0];
    }
    lines += 1;
    // Before it is cut: the rest of a secret would not be recognized.
    if (lines <= STUDIO_SERVER_LIMITS.errorLines)
      log.info({ server, text: redact(line).slice(0, STUDIO_SERVER_LIMITS.errorLine) }, 'a tool server says');
    else if (lines === STUDIO_SERVER_LIMITS.errorLines + 1)
      log.info({ server }, 'a tool server says too much; the rest of this minute is left out');
  };
}

import pino from 'pino';
import { redact } from './redact.ts';
import { requestId } from './request-id.ts';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/**
 * The fields of an event in the log. Those of a run, step, call or result are ids, sizes, durations, and errors, never content.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  error(fields: LogFields, event: string): void;
  warn(fields: LogFields, event: string): void;
  info(fields: LogFields, event: string): void;
  debug(fields: LogFields, event: string): void;
  child(fields: LogFields): Log;
}

/**
 * Creates a log that writes JSON lines, by default to standard error. A line has the id of the HTTP request that led to it, if
 * there is one (`requestId`). Secrets are removed from all texts.
 */
export function createLog(level: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  return pino(
    {
      level,
      base: null,
      mixin: () => {
        const id = requestId();
        return id === undefined ? {} : { requestId: id };
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(redactLine(line)) },
  );
}

/**
 * Removes secrets from a line, which is JSON. Each value is redacted separately: in the whole line a secret could be escaped,
 * and its removal could break the JSON.
 */
function redactLine(line: string): string {
  const clean: unknown = JSON.parse(line, (_, value: unknown) => (typeof value === 'string' ? redact(value) : value));
  return `${JSON.stringify(clean)}\n`;
}

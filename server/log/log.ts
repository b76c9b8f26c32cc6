import pino from 'pino';
import { redact } from './redact.ts';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** One event of a run, step, call or result: ids, sizes and durations, never content. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  error(fields: LogFields, event: string): void;
  warn(fields: LogFields, event: string): void;
  info(fields: LogFields, event: string): void;
  debug(fields: LogFields, event: string): void;
  child(fields: LogFields): Log;
}

/** A log of JSON lines on standard error. Every text in it has its secrets removed. */
export function createLog(level: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(redactLine(line)) },
  );
}

/** Value by value: in the line as a whole a secret may be escaped, and what is cut out may take JSON's own marks along. */
function redactLine(line: string): string {
  const clean: unknown = JSON.parse(line, (_, value: unknown) => (typeof value === 'string' ? redact(value) : value));
  return `${JSON.stringify(clean)}\n`;
}

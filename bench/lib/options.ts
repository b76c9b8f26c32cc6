import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});

/** Whether to do just enough to show that the benchmark still runs. The results are then meaningless. */
export const isShort = values.short;

/** The arguments besides the options. */
export const benchArguments: readonly string[] = positionals;

/** Chooses between a value for the full benchmark and one for its short form. */
export const inFull = <T>(full: T, short: T): T => (isShort ? short : full);

/** The text after a result: nothing in the short form. */
export const verdict = (limit: string, isKept: boolean): string =>
  isShort ? '' : `; ${limit}: ${isKept ? 'met' : 'MISSED'}`;

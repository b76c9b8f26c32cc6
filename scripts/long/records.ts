import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ROOT } from '../lib/run.ts';

/** The record of long suites, in the project. A run writes it, and its author commits it. */
export const RECORDS_FILE = 'e2e/long-suites.json';

/** The last run in which a long suite passed. */
const recordSchema = z.object({
  /** The full name of the commit. */
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  /** The time that it took, in seconds. */
  seconds: z.number(),
});

export type SuiteRecord = z.infer<typeof recordSchema>;

/** By the names of suites; those that never passed are missing. */
export type Records = ReadonlyMap<string, SuiteRecord>;

export const readRecords = (): Records =>
  new Map(
    Object.entries(
      z.record(z.string(), recordSchema).parse(JSON.parse(readFileSync(join(ROOT, RECORDS_FILE), 'utf8'))),
    ),
  );

/** Records that a suite has passed. */
export function record(name: string, passed: SuiteRecord): void {
  const records = Object.fromEntries([...readRecords(), [name, passed] as const].sort());
  writeFileSync(join(ROOT, RECORDS_FILE), `${JSON.stringify(records, null, 2)}\n`);
}

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/run.ts';

/** The runs whose times are kept: those of the unit tests, of the tests in a page, of those with processes, and so on. */
export const KINDS = ['unit', 'browser', 'processes', 'e2e', 'long'] as const;
export type Kind = (typeof KINDS)[number];

/** The activities on which a test spends its time. */
export const PHASES = ['imports', 'servers', 'browser', 'page boot', 'waiting', 'actions', 'rest'] as const;
export type Phase = (typeof PHASES)[number];

/** The times of one test, or of what a file needs before its tests, in milliseconds. */
export interface TimedTest {
  file: string;
  title: string;
  ms: number;
  phases: Partial<Record<Phase, number>>;
}

/** A step of `npm test`, in milliseconds. */
interface TimedStep {
  name: string;
  ms: number;
}

const FOLDER = join(ROOT, '.timings');
const fileOf = (name: string): string => join(FOLDER, `${name}.jsonl`);

function append(name: string, value: object): void {
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(fileOf(name), `${JSON.stringify(value)}\n`);
}

function read<T>(name: string): T[] {
  if (!existsSync(fileOf(name))) return [];
  const lines = readFileSync(fileOf(name), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}

const forget = (name: string): void => rmSync(fileOf(name), { force: true });

/** Begins the record of a run; that of the run before is removed. */
export const beginRun = (kind: Kind): void => forget(kind);
export const recordTest = (kind: Kind, test: TimedTest): void => append(kind, test);
export const readTests = (kind: Kind): TimedTest[] => read(kind);

export const beginSteps = (): void => forget('steps');
export const recordStep = (step: TimedStep): void => append('steps', step);
export const readSteps = (): TimedStep[] => read('steps');

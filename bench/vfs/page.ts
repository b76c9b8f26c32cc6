import { Bash, InMemoryFs } from 'just-bash';
import { FILES_PER_PROJECT, type Files, makeFiles, NEEDLE, somePaths } from './data.ts';
import { LightningSubject, SqliteSubject, ZenSubject } from './peers.ts';
import { StudioSubject } from './studio-subject.ts';
import type { Subject } from './subject.ts';

export interface Measured {
  ms: number;
  /** The longest time in which the page's thread did nothing else. */
  stallMs: number;
}

export type Results = Record<string, Measured>;

const SUBJECTS: Record<string, () => Subject> = {
  studio: () => new StudioSubject(),
  zenfs: () => new ZenSubject(),
  'lightning-fs': () => new LightningSubject(),
  'sqlite-opfs': () => new SqliteSubject(),
};

/** Long enough for what a subject puts off until nothing happens. */
const SETTLE_MS = 1_500;

/** Time, and the longest stall of the page's thread in it. */
async function measure(work: () => Promise<unknown>): Promise<Measured> {
  let stallMs = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    stallMs = Math.max(stallMs, now - last);
    last = now;
  };
  // Every few milliseconds: a thread that does nothing but look would take the time of those that work.
  const looking = setInterval(look, 4);
  const start = performance.now();
  try {
    await work();
  } finally {
    look();
    clearInterval(looking);
  }
  return { ms: performance.now() - start, stallMs };
}

async function repeat(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index++) await work(index);
}

/** One round of everything, over new databases. */
async function run(name: string, round: number): Promise<Results> {
  const subject = (SUBJECTS[name] as () => Subject)();
  const results: Results = {};
  const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const step = async (what: string, work: () => Promise<unknown>) => {
    results[what] = await measure(work);
    // What it has left behind, be it garbage or work for later, is not the next one's.
    await settle();
  };
  const close = async () => {
    await subject.close();
    // Workers end and databases close behind it.
    await settle();
  };
  const small = makeFiles(500);
  const folders = [...new Set(small.map(([path]) => path.slice(0, path.lastIndexOf('/'))))];
  const database = `small-${round}`;
  await subject.open(database);
  await step('create 10,000 files of 500 B', () => subject.create(small));
  await close();
  await step('open cold, and list a folder', async () => {
    await subject.open(database);
    await subject.list('/ws/p0/d0');
  });
  await step('list 500 folders', () => repeat(folders.length, (index) => subject.list(folders[index] ?? '')));
  await step('1,000 random reads', () => subject.readMany(somePaths(small, 1000)));
  await step('the same reads again', () => subject.readMany(somePaths(small, 1000)));
  const data = small[1]?.[1] ?? new Uint8Array();
  const overwrite = () => subject.overwrite('/ws/p0/d0/f0.ts', data);
  await step('overwrite a file 1,000 times', () => Promise.all(Array.from({ length: 1000 }, overwrite)));
  await step('the same, each after the one before', () => repeat(1000, overwrite));
  await step('checkpoint', () => subject.checkpoint());
  await step(`rename a folder of ${FILES_PER_PROJECT}`, () => subject.rename('/ws/p1', '/ws/q1'));
  await step(`delete ${FILES_PER_PROJECT} files`, () => subject.remove('/ws/p2'));
  await step('restore the checkpoint', () => subject.restore());
  await close();
  const large = makeFiles(5000);
  await subject.open(`large-${round}`);
  await step('import 50 MB', () => subject.create(large));
  await close();
  await subject.open(`large-${round}`);
  await step('1,000 cold reads of 50 MB', () => subject.readMany(somePaths(large, 1000)));
  await close();
  await subject.open(`large-${round}`);
  await step('search 50 MB cold', () => subject.search(NEEDLE));
  await step('search 50 MB warm', () => subject.search(NEEDLE));
  if (subject instanceof StudioSubject) await bash(subject, large, step);
  await close();
  return results;
}

/** The shell over the workspace, and over just-bash's own file system in memory. */
async function bash(
  subject: StudioSubject,
  files: Files,
  step: (what: string, work: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const memory = new Bash({ fs: new InMemoryFs(Object.fromEntries(files)), cwd: '/' });
  const { signal } = new AbortController();
  const commands = { find: 'find /ws | wc -l', grep: 'grep -rn needle_1 /ws | wc -l' };
  for (const [name, command] of Object.entries(commands)) {
    const ours = () =>
      subject.workspace.runner.run(command, {
        cwd: '/',
        author: { type: 'call', toolCallId: 'bench' },
        timeoutMs: 60_000,
        abortSignal: signal,
      });
    await ours();
    await step(`bash ${name}, warm`, ours);
    await memory.exec(command);
    await step(`bash ${name} in just-bash’s memory`, () => memory.exec(command));
  }
}

Object.assign(window, { runRound: run });

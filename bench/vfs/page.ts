import { Bash, InMemoryFs } from 'just-bash';
import { type Files, makeFiles, NEEDLE, somePaths } from './data.ts';
import { LightningSubject, SqliteSubject, ZenSubject } from './peers.ts';
import { StudioSubject } from './studio-subject.ts';
import type { Subject } from './subject.ts';

export interface Measured {
  ms: number;
  /** The longest time during which the page's thread was blocked. */
  stallMs: number;
}

/** The amount of data and work. */
export interface Scale {
  /** In each of five projects; a folder has 20 files. */
  foldersPerProject: number;
  /** The number of times that small operations are repeated. */
  times: number;
  /** The time to wait for work that a subject defers until it is idle, in milliseconds. */
  settleMs: number;
}

/** Called at the beginning of each step, and at its end with the measurement. Provided by the benchmark. */
type Report = (step: string, measured?: Measured) => Promise<void>;

const SUBJECTS: Record<string, () => Subject> = {
  studio: () => new StudioSubject(),
  zenfs: () => new ZenSubject(),
  'lightning-fs': () => new LightningSubject(),
  'sqlite-opfs': () => new SqliteSubject(),
};

/** The time, and the longest stall of the page's thread during it. */
async function measure(work: () => Promise<unknown>): Promise<Measured> {
  let stallMs = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    stallMs = Math.max(stallMs, now - last);
    last = now;
  };
  // Every few milliseconds: constant polling would take time from the threads that work.
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

/** One round of all steps, with new databases. */
async function run(name: string, round: number, { foldersPerProject, times, settleMs }: Scale): Promise<void> {
  const { reportStep: report } = window as unknown as { reportStep: Report };
  const subject = (SUBJECTS[name] as () => Subject)();
  const settle = () => new Promise((resolve) => setTimeout(resolve, settleMs));
  const step = async (what: string, work: () => Promise<unknown>) => {
    await report(what);
    await report(what, await measure(work));
    // Leftovers of the step, such as garbage or deferred work, must not count for the next step.
    await settle();
  };
  const close = async () => {
    await subject.close();
    // Workers end and databases close in the background.
    await settle();
  };
  const format = (n: number) => n.toLocaleString('en');
  const small = makeFiles(500, foldersPerProject);
  const folders = [...new Set(small.map(([path]) => path.slice(0, path.lastIndexOf('/'))))];
  const perProject = format(small.length / 5);
  const database = `small-${round}`;
  await subject.open(database);
  await step(`create ${format(small.length)} files of 500 B`, () => subject.create(small));
  await close();
  await step('open cold, and list a folder', async () => {
    await subject.open(database);
    await subject.list('/ws/p0/d0');
  });
  await step(`list ${folders.length} folders`, () =>
    repeat(folders.length, (index) => subject.list(folders[index] ?? '')),
  );
  await step(`${format(times)} random reads`, () => subject.readMany(somePaths(small, times)));
  await step('the same reads again', () => subject.readMany(somePaths(small, times)));
  const data = small[1]?.[1] ?? new Uint8Array();
  const overwrite = () => subject.overwrite('/ws/p0/d0/f0.ts', data);
  await step(`overwrite a file ${format(times)} times`, () => Promise.all(Array.from({ length: times }, overwrite)));
  await step('the same, each after the one before', () => repeat(times, overwrite));
  await step('checkpoint', () => subject.checkpoint());
  await step(`rename a folder of ${perProject}`, () => subject.rename('/ws/p1', '/ws/q1'));
  await step(`delete ${perProject} files`, () => subject.remove('/ws/p2'));
  await step('restore the checkpoint', () => subject.restore());
  await close();
  const large = makeFiles(5000, foldersPerProject);
  const size = `${(large.length * 5000) / 1_000_000} MB`;
  await subject.open(`large-${round}`);
  await step(`import ${size}`, () => subject.create(large));
  await close();
  await subject.open(`large-${round}`);
  await step(`${format(times)} cold reads of ${size}`, () => subject.readMany(somePaths(large, times)));
  await close();
  await subject.open(`large-${round}`);
  await step(`search ${size} cold`, () => subject.search(NEEDLE));
  await step(`search ${size} warm`, () => subject.search(NEEDLE));
  if (subject instanceof StudioSubject) await bash(subject, large, step);
  await close();
}

/** The shell on the workspace, and on just-bash's own in-memory file system. */
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

import { makeFiles, NEEDLE, somePaths } from '../../vfs/data.ts';
import { StudioSubject } from '../../vfs/studio-subject.ts';

export type StepName = 'create' | 'read' | 'overwrite' | 'rename' | 'restore' | 'search' | 'open';

declare global {
  interface Window {
    /** Runs a step on the workspace of a round; resolves with how long it took, in milliseconds. */
    runStep(name: StepName, round: number): Promise<number>;
  }
}

/** 2,000 files of 500 bytes. */
const FILES = makeFiles(500, 20);
const TIMES = 500;

const opened = new Map<number, StudioSubject>();

const STEPS: Readonly<Record<StepName, (subject: StudioSubject, round: number) => Promise<unknown>>> = {
  create: (subject) => subject.create(FILES),
  read: (subject) => subject.readMany(somePaths(FILES, 20 * TIMES)),
  overwrite: (subject) => {
    const data = FILES[1]?.[1] ?? new Uint8Array();
    return Promise.all(Array.from({ length: TIMES }, () => subject.overwrite('/ws/p0/d0/f0.ts', data)));
  },
  async rename(subject) {
    for (let time = 0; time < 10; time++) {
      await subject.rename('/ws/p1', '/ws/q1');
      await subject.rename('/ws/q1', '/ws/p1');
    }
  },
  async restore(subject) {
    for (let time = 0; time < 10; time++) {
      await subject.checkpoint();
      await subject.remove('/ws/p2');
      await subject.restore();
    }
  },
  search: (subject) => subject.search(NEEDLE),
  async open(subject, round) {
    await subject.close();
    await subject.open(`round-${round}`);
    await subject.list('/ws/p0/d0');
    await subject.close();
  },
};

window.runStep = async (name, round) => {
  const subject = opened.get(round) ?? new StudioSubject();
  if (!opened.has(round)) {
    opened.set(round, subject);
    await subject.open(`round-${round}`);
  }
  const startedAt = performance.now();
  await STEPS[name](subject, round);
  return performance.now() - startedAt;
};

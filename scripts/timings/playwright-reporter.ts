import { relative } from 'node:path';
import type { Reporter, TestCase, TestResult, TestStep } from '@playwright/test/reporter';
import { ROOT } from '../lib/run.ts';
import { beginRun, type Kind, type Phase, recordTest } from './timings.ts';

/** The title of the step in which a test opens the studio. */
export const BOOT_STEP = 'Open the studio';

const SERVERS = /^Fixture "(bench|startBench|server)"|^Start a studio/;
const BROWSER = /^Fixture "(browser|context|page)"/;

/** Records how long each test took, and for what. */
export default class TimingReporter implements Reporter {
  readonly #kind: Kind;

  constructor({ kind = 'e2e' }: { kind?: Kind }) {
    this.#kind = kind;
  }

  onBegin(): void {
    beginRun(this.#kind);
  }

  onTestEnd(test: TestCase, { duration, steps }: TestResult): void {
    const phases: Partial<Record<Phase, number>> = {};
    const add = (phase: Phase, ms: number) => {
      phases[phase] = (phases[phase] ?? 0) + ms;
    };
    const visit = (step: TestStep): void => {
      const { category, title, steps: inner } = step;
      if (title === BOOT_STEP) add('page boot', step.duration);
      else if (SERVERS.test(title)) add('servers', step.duration);
      else if (BROWSER.test(title)) add('browser', step.duration);
      else if (category === 'expect') add('waiting', step.duration);
      else if (category === 'pw:api') add('actions', step.duration);
      else for (const one of inner) visit(one);
    };
    for (const step of steps) visit(step);
    const known = Object.values(phases).reduce((sum, ms) => sum + ms, 0);
    add('rest', Math.max(0, duration - known));
    const [, , , ...titles] = test.titlePath();
    recordTest(this.#kind, {
      file: relative(ROOT, test.location.file),
      title: titles.join(' › '),
      ms: duration,
      phases,
    });
  }

  printsToStdio(): boolean {
    return false;
  }
}

import type { Reporter, TestModule } from 'vitest/node';
import { beginRun, type Kind, recordTest } from './timings.ts';

/** Records how long the tests of a run took, and how long their files took to load. */
export function timingReporter(kind: Kind): Reporter {
  return {
    onTestRunStart() {
      beginRun(kind);
    },
    onTestModuleEnd(module: TestModule) {
      const { collectDuration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
      const imports = collectDuration + environmentSetupDuration + prepareDuration + setupDuration;
      const file = module.relativeModuleId;
      recordTest(kind, { file, title: '(loading)', ms: imports, phases: { imports } });
      for (const test of module.children.allTests()) {
        const ms = test.diagnostic()?.duration ?? 0;
        recordTest(kind, { file, title: test.fullName, ms, phases: { rest: ms } });
      }
    },
  };
}

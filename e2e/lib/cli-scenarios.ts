import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { CliBench } from './cli-bench.ts';
import { browserToolsOf, playOnCli } from './play-on-cli.ts';
import { WAYS_OF_CALLING } from './play-scenario.ts';
import { readScenarios } from './read-scenarios.ts';

/** Sessions are kept here, to be looked at and imported. */
const KEPT = join(ROOT, 'test-results/sessions');

export function keep(name: string, session: string): void {
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(join(KEPT, `${name}.jsonl`), session);
}

/** Plays the scenarios of the browser on the command line, in some languages and ways of calling. */
export function testScenarios(isPlayed: (language: string, model: string, mode: string) => boolean): void {
  describe('the scenarios of the browser give the same calls and contents on the command line', () => {
    let bench: CliBench;
    beforeAll(async () => {
      bench = await CliBench.start();
    });
    afterAll(() => bench.stop());
    for (const [name, scenario] of readScenarios())
      for (const variant of scenario.variants)
        for (const { model, mode } of WAYS_OF_CALLING) {
          // The formats that are written as text are the same in every language.
          if (model !== 'scripted' && variant.language !== 'en') continue;
          if (!isPlayed(variant.language, model, mode)) continue;
          const needed = browserToolsOf(scenario);
          const title = `${scenario.title} (${variant.language}, ${model}, ${mode})`;
          test.skipIf(needed.length > 0)(
            needed.length > 0 ? `${title}: needs a browser for ${needed.join(', ')}` : title,
            async () => {
              variant.prompts.forEach((prompt, index) => {
                bench.model.script(prompt, variant.turns?.[index] ?? []);
              });
              const before = bench.model.requests.length;
              const played = await playOnCli(scenario, variant, {
                model,
                mode,
                timeout: 30_000,
                env: bench.environment,
              });
              expect(played.failures).toEqual([]);
              for (const request of bench.model.requests.slice(before))
                expect((request.tools ?? []).length > 0, 'the request carries tools').toBe(mode === 'native');
              keep(`${name}-${variant.language}-${model}-${mode}`, played.session);
            },
          );
        }
  });
}

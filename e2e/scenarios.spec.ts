import { expect, test } from './lib/fixtures.ts';
import { playScenario, readScenarios } from './lib/play-scenario.ts';

for (const scenario of readScenarios().values()) {
  for (const variant of scenario.variants) {
    for (const mode of ['native', 'prompted'] as const) {
      test(`${scenario.title} (${variant.language}, ${mode})`, async ({ studio, bench }) => {
        const before = bench.model.requests.length;
        variant.prompts.forEach((prompt, index) => {
          bench.model.script(prompt, variant.turns?.[index] ?? []);
        });
        const played = await playScenario(studio, scenario, variant, { model: 'scripted', mode, timeout: 30_000 });
        expect(played.failures).toEqual([]);
        for (const request of bench.model.requests.slice(before)) {
          expect((request.tools ?? []).length > 0, 'the request carries tools').toBe(mode === 'native');
        }
      });
    }
  }
}

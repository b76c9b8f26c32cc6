import type { ToolCallingMode } from '#lib/messages/message.ts';
import { expect, test } from './lib/fixtures.ts';
import { playScenario, readScenarios } from './lib/play-scenario.ts';

/** Every way of calling tools: natively, and as text in each of the formats that a model can be asked for. */
const WAYS: readonly { model: string; mode: ToolCallingMode }[] = [
  { model: 'scripted', mode: 'native' },
  { model: 'scripted', mode: 'prompted' },
  { model: 'object', mode: 'prompted' },
  { model: 'raw', mode: 'prompted' },
  { model: 'xml', mode: 'prompted' },
  { model: 'delimited', mode: 'prompted' },
];

for (const scenario of readScenarios().values()) {
  for (const variant of scenario.variants) {
    for (const { model, mode } of WAYS) {
      test(`${scenario.title} (${variant.language}, ${model}, ${mode})`, async ({ studio, bench }) => {
        const before = bench.model.requests.length;
        variant.prompts.forEach((prompt, index) => {
          bench.model.script(prompt, variant.turns?.[index] ?? []);
        });
        const played = await playScenario(studio, scenario, variant, { model, mode, timeout: 30_000 });
        expect(played.failures).toEqual([]);
        for (const request of bench.model.requests.slice(before)) {
          expect((request.tools ?? []).length > 0, 'the request carries tools').toBe(mode === 'native');
        }
      });
    }
  }
}

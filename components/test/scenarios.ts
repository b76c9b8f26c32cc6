/// <reference types="vite/client" />
import { expect } from 'vitest';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { playScenario, WAYS_OF_CALLING } from '#e2e/lib/play-scenario.ts';
import { parseScenario, type ScenarioVariant } from '#e2e/lib/scenarios/scenario.ts';

const FILES = import.meta.glob<string>('/e2e/scenarios/*.yaml', { query: '?raw', import: 'default', eager: true });

/** Defines a test for each scenario in each language and way of calling tools that `isPlayed` chooses. */
export function testScenarios(
  isPlayed: (variant: ScenarioVariant, way: (typeof WAYS_OF_CALLING)[number]) => boolean = () => true,
): void {
  for (const [path, source] of Object.entries(FILES)) {
    const scenario = parseScenario(source, path);
    for (const variant of scenario.variants)
      for (const way of WAYS_OF_CALLING.filter((one) => isPlayed(variant, one)))
        test(`${scenario.title} (${variant.language}, ${way.model}, ${way.mode})`, async ({ studio }) => {
          // All ways of calling tools are played with the same prompts.
          const requests = async () => (await Promise.all(variant.prompts.map(model.requestsFor))).flat();
          const before = (await requests()).length;
          for (const [index, prompt] of variant.prompts.entries())
            await model.script(prompt, variant.turns?.[index] ?? []);
          const played = await playScenario(studio, scenario, variant, { ...way, timeout: 30_000 });
          expect(played.failures).toEqual([]);
          const made = (await requests()).slice(before);
          expect(made).not.toEqual([]);
          for (const { tools = [] } of made)
            expect(tools.length > 0, 'the request carries tools').toBe(way.mode === 'native');
        });
  }
}

import { expect, test } from './lib/fixtures.ts';
import { playScenario, WAYS_OF_CALLING } from './lib/play-scenario.ts';
import { readScenarios } from './lib/read-scenarios.ts';

// Each scenario once, and with them each way of calling tools and each language. All combinations are played in
// components/chat/scenarios.long.browser.test.ts.
for (const [index, scenario] of [...readScenarios().values()].entries()) {
  const way = WAYS_OF_CALLING[index % WAYS_OF_CALLING.length];
  const variant = scenario.variants[index % scenario.variants.length];
  if (way === undefined || variant === undefined) continue;
  test(`${scenario.title} (${variant.language}, ${way.model}, ${way.mode})`, async ({ studio, bench }) => {
    variant.prompts.forEach((prompt, turn) => {
      bench.model.script(prompt, variant.turns?.[turn] ?? []);
    });
    const played = await playScenario(studio, scenario, variant, { ...way, timeout: 30_000 });
    expect(played.failures).toEqual([]);
    for (const { tools = [] } of variant.prompts.flatMap((prompt) => bench.model.requestsFor(prompt)))
      expect(tools.length > 0, 'the request carries tools').toBe(way.mode === 'native');
  });
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkScenario } from '#lib/scenarios/checks.ts';
import { parseScenario } from '#lib/scenarios/scenario.ts';
import { expect, test } from './lib/fixtures.ts';

const FOLDER = join(import.meta.dirname, 'scenarios');

for (const file of readdirSync(FOLDER).sort()) {
  const scenario = parseScenario(readFileSync(join(FOLDER, file), 'utf8'), file);
  for (const variant of scenario.variants) {
    for (const mode of ['native', 'prompted'] as const) {
      test(`${scenario.title} (${variant.language}, ${mode})`, async ({ studio, bench }) => {
        const before = bench.model.requests.length;
        variant.prompts.forEach((prompt, index) => {
          bench.model.script(prompt, variant.turns?.[index] ?? []);
        });
        await studio.open({ files: scenario.workspace, toolCalling: mode });
        for (const [index, prompt] of variant.prompts.entries()) {
          await studio.say(prompt);
          await studio.settled(index + 1, { whenAsked: scenario.permission });
        }
        const outcome = { turns: await studio.turns(), files: await studio.workspace() };
        expect(checkScenario(scenario, variant, outcome)).toEqual([]);
        for (const request of bench.model.requests.slice(before)) {
          expect((request.tools ?? []).length > 0, 'the request carries tools').toBe(mode === 'native');
        }
      });
    }
  }
}

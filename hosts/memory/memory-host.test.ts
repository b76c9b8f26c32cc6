import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkScenario } from '#e2e/lib/scenarios/checks.ts';
import { parseScenario, type Scenario, type ScenarioVariant } from '#e2e/lib/scenarios/scenario.ts';
import { userMessage } from '#lib/agent/test/messages.ts';
import { replayingModel } from '#lib/agent/test/replaying-model.ts';
import type { Message } from '#lib/messages/message.ts';
import { CODEC_IDS } from '#lib/prompts/codecs/codecs.ts';
import { filesBelow } from '#lib/vfs/files-below.ts';
import { fill } from '#lib/vfs/test/contract.ts';
import { MemoryHost } from './memory-host.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'e2e', 'scenarios');

const scenarios = readdirSync(FOLDER).map((file) => parseScenario(readFileSync(join(FOLDER, file), 'utf8'), file));

/** The scenarios whose calls are all of tools that need no more than files. */
const playable = scenarios.filter(({ variants }) =>
  variants.every(({ turns = [] }) =>
    turns.flat().every(({ calls }) => calls.every(({ name }) => new MemoryHost().tools.get(name) !== undefined)),
  ),
);

async function play(scenario: Scenario, variant: ScenarioVariant, ...how: [mode: 'native'] | ['prompted', string]) {
  const host = new MemoryHost();
  await fill(host.files, scenario.workspace);
  const model = replayingModel((variant.turns ?? []).flat(), how[0], how[1]);
  const turns = [];
  const messages: Message[] = [];
  for (const prompt of variant.prompts) {
    messages.push(userMessage(prompt));
    const turn = await host.play(model, messages);
    turns.push(turn);
    messages.push(turn);
  }
  const files = new Map<string, string>();
  for await (const { path } of filesBelow(host.files, '/'))
    files.set(path, new TextDecoder().decode(await host.files.readFile(path)));
  return { turns, files };
}

describe('a host with nothing but files plays every scripted scenario that needs nothing else', () => {
  test('there are such scenarios, and others', () => {
    expect(playable.length).toBeGreaterThanOrEqual(4);
    expect(playable.length).toBeLessThan(scenarios.length);
  });

  const cases = playable.flatMap((scenario) =>
    scenario.variants.map((variant) => ({ name: `${scenario.title} (${variant.language})`, scenario, variant })),
  );

  test.each(cases)('$name, native', async ({ scenario, variant }) => {
    expect(checkScenario(scenario, variant, await play(scenario, variant, 'native'))).toEqual([]);
  });

  describe.each(CODEC_IDS)('%s', (codec) => {
    test.each(cases)('$name', async ({ scenario, variant }) => {
      expect(checkScenario(scenario, variant, await play(scenario, variant, 'prompted', codec))).toEqual([]);
    });
  });
});

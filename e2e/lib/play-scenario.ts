import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssistantMessage, Message, ToolCallingMode } from '#lib/messages/message.ts';
import { checkScenario } from '#lib/scenarios/checks.ts';
import { parseScenario, type Scenario, type ScenarioVariant } from '#lib/scenarios/scenario.ts';
import { readMessages } from './storage.ts';
import type { StudioPage } from './studio-page.ts';

const FOLDER = join(import.meta.dirname, '..', 'scenarios');

/** All scenarios by the names of their files. Throws for a file that is none. */
export function readScenarios(): Map<string, Scenario> {
  const files = readdirSync(FOLDER).sort();
  return new Map(
    files.map((file) => [file.replace(/\.yaml$/, ''), parseScenario(readFileSync(join(FOLDER, file), 'utf8'), file)]),
  );
}

export interface PlayOptions {
  /** The model's id. */
  model: string;
  mode: ToolCallingMode;
  /** How long the answer to one prompt may take, in milliseconds. */
  timeout: number;
}

export interface PlayedScenario {
  /** Everything that does not hold, in words; empty when the scenario passed. */
  failures: string[];
  /** The thread as it was left, oldest message first. */
  messages: Message[];
  /** From the first message sent to the end of the last answer. */
  durationMs: number;
}

/** Plays a scenario in a browser that has not seen the studio, as a person would, and checks what it left behind. */
export async function playScenario(
  studio: StudioPage,
  scenario: Scenario,
  variant: ScenarioVariant,
  { model, mode, timeout }: PlayOptions,
): Promise<PlayedScenario> {
  await studio.open({ files: scenario.workspace, settings: { defaultModel: model, toolCalling: mode } });
  const failures: string[] = [];
  const startedAt = performance.now();
  for (const [index, prompt] of variant.prompts.entries()) {
    await studio.say(prompt);
    try {
      await studio.settled(index + 1, { whenAsked: scenario.permission, timeout });
    } catch {
      failures.push(`the answer to prompt ${index + 1} had not ended after ${timeout / 1_000} s`);
      break;
    }
  }
  const durationMs = Math.round(performance.now() - startedAt);
  const messages = await readMessages(studio.page, studio.threadId);
  const turns = messages.filter((message): message is AssistantMessage => message.role === 'assistant');
  for (const { model: used, settings } of turns.flatMap(({ parts }) => parts.filter((part) => part.type === 'step'))) {
    if (used !== model || settings.toolCalling !== mode)
      failures.push(`a step was taken with ${used} (${settings.toolCalling}) instead of ${model} (${mode})`);
  }
  failures.push(...checkScenario(scenario, variant, { turns, files: await studio.workspace() }));
  return { failures, messages, durationMs };
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssistantMessage, Message, ToolCallingChoice } from '#lib/messages/message.ts';
import { checkScenario } from '#lib/scenarios/checks.ts';
import { parseScenario, type Scenario, type ScenarioVariant } from '#lib/scenarios/scenario.ts';
import { readMessages } from './storage.ts';
import type { StudioPage } from './studio-page.ts';

const FOLDER = join(import.meta.dirname, '..', 'scenarios');

/** All scenarios by file name. Throws for an invalid file. */
export function readScenarios(): Map<string, Scenario> {
  const files = readdirSync(FOLDER).sort();
  return new Map(
    files.map((file) => [file.replace(/\.yaml$/, ''), parseScenario(readFileSync(join(FOLDER, file), 'utf8'), file)]),
  );
}

export interface PlayOptions {
  /** The model's id. */
  model: string;
  /** `auto` may take steps in both modes. */
  mode: ToolCallingChoice;
  /** Maximum time for the answer to one prompt, in milliseconds. */
  timeout: number;
}

export interface PlayedScenario {
  /** Descriptions of all failed expectations; empty when the scenario passed. */
  failures: string[];
  /** The final thread, oldest message first. */
  messages: Message[];
  /** From sending the first message to the end of the last answer. */
  durationMs: number;
}

/** Plays a scenario in a new browser as a user would, and checks the result. */
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
    if (used !== model || (mode !== 'auto' && settings.toolCalling !== mode))
      failures.push(`a step was taken with ${used} (${settings.toolCalling}) instead of ${model} (${mode})`);
  }
  failures.push(...checkScenario(scenario, variant, { turns, files: await studio.workspace() }));
  return { failures, messages, durationMs };
}

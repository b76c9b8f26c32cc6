import { checkScenario } from '#e2e/lib/scenarios/checks.ts';
import type { Scenario, ScenarioVariant } from '#e2e/lib/scenarios/scenario.ts';
import type { AssistantMessage, Message, ToolCallingChoice, ToolCallingMode } from '#lib/messages/message.ts';

/** Every way of calling tools: natively, and as text in each of the formats that a model can be asked for. */
export const WAYS_OF_CALLING: readonly { model: string; mode: ToolCallingMode }[] = [
  { model: 'scripted', mode: 'native' },
  { model: 'scripted', mode: 'prompted' },
  { model: 'object', mode: 'prompted' },
  { model: 'raw', mode: 'prompted' },
  { model: 'xml', mode: 'prompted' },
  { model: 'delimited', mode: 'prompted' },
];

/** A studio in which a scenario is played, in a browser of its own or in the document of a test. */
interface ScenarioStage {
  open(start: { files: Readonly<Record<string, string>>; settings: Readonly<Record<string, unknown>> }): Promise<void>;
  say(text: string): Promise<void>;
  /** Waits until this many turns have settled, and answers calls that ask for permission. */
  settled(turns: number, options: { whenAsked: 'allow' | 'deny'; timeout: number }): Promise<void>;
  /** The open thread's messages as they are stored, oldest first. */
  messages(): Promise<Message[]>;
  /** The text files of the workspace, by path. */
  workspace(): Promise<Map<string, string>>;
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
  studio: ScenarioStage,
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
  const messages = await studio.messages();
  const turns = messages.filter((message): message is AssistantMessage => message.role === 'assistant');
  for (const { model: used, settings } of turns.flatMap(({ parts }) => parts.filter((part) => part.type === 'step'))) {
    if (used !== model || (mode !== 'auto' && settings.toolCalling !== mode))
      failures.push(`a step was taken with ${used} (${settings.toolCalling}) instead of ${model} (${mode})`);
  }
  failures.push(...checkScenario(scenario, variant, { turns, files: await studio.workspace() }));
  return { failures, messages, durationMs };
}

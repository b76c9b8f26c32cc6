import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { promptedReply, type ScenarioTurn } from '#e2e/lib/scenarios/scenario.ts';
import type { ToolCallingMode } from '#lib/messages/message.ts';
import type { AgentModel } from '../agent-model.ts';
import { finish, scriptedModel } from './scripted-model.ts';

/** A model that plays the replies of a scenario, one for each request, natively or as a prompted model writes them. */
export function replayingModel(
  turns: readonly ScenarioTurn[],
  mode: ToolCallingMode,
  codec: Parameters<typeof promptedReply>[1] = 'json',
): AgentModel {
  const left = [...turns];
  return {
    id: 'replaying',
    provider: 'replaying',
    traits: {
      keepsReasoning: false,
      takesResultImages: false,
      rendersTemplates: true,
      reasoningTag: 'think',
      toolName: /^[\w-]{1,64}$/,
      codec: 'json',
    },
    toolCalling: mode,
    protocol: { codec },
    contextSize: 32_000,
    vision: false,
    startsInReasoning: false,
    providerOptions: {},
    streams: true,
    create() {
      const turn = left.shift();
      if (turn === undefined) throw new Error('The scenario has no more replies.');
      return scriptedModel(mode === 'native' ? nativeParts(turn) : textParts(promptedReply(turn, codec))).model;
    },
  };
}

const textParts = (text: string): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: 'text' },
  { type: 'text-delta', id: 'text', delta: text },
  { type: 'text-end', id: 'text' },
  finish(),
];

function nativeParts({ text, calls }: ScenarioTurn): LanguageModelV4StreamPart[] {
  const [start, delta, end] = textParts(text);
  return [
    ...[start, delta, end].filter((part) => part !== undefined && text !== ''),
    ...calls.flatMap(({ name, arguments: input }, index): LanguageModelV4StreamPart[] => [
      { type: 'tool-input-start', id: `call_${index}`, toolName: name },
      { type: 'tool-input-delta', id: `call_${index}`, delta: input },
      { type: 'tool-input-end', id: `call_${index}` },
      { type: 'tool-call', toolCallId: `call_${index}`, toolName: name, input },
    ]),
    finish(calls.length > 0 ? 'tool-calls' : 'stop'),
  ].filter((part) => part !== undefined);
}

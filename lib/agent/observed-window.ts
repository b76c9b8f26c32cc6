import type { Message, Notice } from '#lib/messages/message.ts';
import type { AgentModel } from './agent-model.ts';

/** Says which window a server was seen to keep to. */
export type WindowNotice = Extract<Notice, { code: 'window-learned' }>;

/** The smallest window that a model can be used with, in tokens. */
export const WINDOW_MIN = 512;

/**
 * What is known of a model's window in a turn: less than is claimed, if its server took less in an earlier step of it.
 * From one turn to the next, whoever runs the agent remembers that.
 */
export function contextSizeOf(
  messages: readonly Message[],
  { id, contextSize, ...model }: Pick<AgentModel, 'id' | 'contextSize' | 'claimedContextSize'>,
): number | undefined {
  const claimed = claimedBy({ contextSize, ...model });
  const turn = messages.at(-1);
  const observed = (turn?.role === 'assistant' ? turn.parts : [])
    .flatMap((part) => (part.type === 'step' ? part.notices : []))
    .findLast((notice): notice is WindowNotice => notice.code === 'window-learned' && notice.model === id);
  if (observed === undefined || observed.claimed !== claimed) return contextSize;
  return Math.min(usableWindow(observed.window), contextSize ?? Number.POSITIVE_INFINITY);
}

/** What is claimed of a model's window; null if nothing is. */
export const claimedBy = ({
  contextSize,
  claimedContextSize = contextSize,
}: Pick<AgentModel, 'contextSize' | 'claimedContextSize'>): number | null => claimedContextSize ?? null;

/** How servers name their window when they refuse a prompt. */
const NAMED_WINDOWS = [
  // llama.cpp: "… exceeds the available context size (4096 tokens) …", and n_ctx in its body.
  /available context size \((\d+) tokens\)/i,
  /"n_ctx":\s*(\d+)/,
  // OpenAI and vLLM: "maximum context length is 4096 tokens".
  /(?:maximum|max) (?:context|model|input)[\w ]{0,20}(?:length|len|size|window)(?: is| of|:)?\s*(\d+)/i,
  /max_model_len\W{0,3}(\d+)/i,
  // Anthropic: "prompt is too long: 210000 tokens > 200000 maximum".
  /tokens? > (\d+) maximum/i,
  /context (?:window|length|size)(?: is| of|:)?\s*(\d+)/i,
];

/** The window that a refusal names, in tokens; undefined if it names none. */
export function namedWindow(refusal: string): number | undefined {
  for (const pattern of NAMED_WINDOWS) {
    const window = Number(pattern.exec(refusal)?.[1]);
    if (window >= WINDOW_MIN) return window;
  }
  return undefined;
}

/** A window as the studio uses it. */
export const usableWindow = (tokens: number): number => Math.max(WINDOW_MIN, Math.floor(tokens));

import type { ToolSpec } from '#lib/tools/core/spec.ts';

/** Settings for describing tools to a model. */
export interface ProtocolSettings {
  /** The codec of the format that is asked for, by its name. */
  codec: string;
  /** Whether to include worked examples, which use fictional tools. */
  examples: boolean;
  /** Whether to keep everything short, for models with a small context. */
  compact: boolean;
  /** Present if the model is asked for one call at a time. */
  singleCalls?: true | undefined;
}

/** The settings for describing tools unless a model's configuration says otherwise. */
export const DEFAULT_PROTOCOL: ProtocolSettings = { codec: 'json', examples: true, compact: false };

/** A call as it is replayed to the model, with its arguments as JSON text. */
export interface ReplayedCall {
  toolCallId: string;
  toolName: string;
  inputText: string;
}

/** A result as it is replayed to the model. */
export interface ReplayedResult {
  toolCallId: string;
  toolName: string;
  /** The text that the model reads; of a failed call, with its code. */
  text: string;
  hasFailed: boolean;
}

/** A message of a sample conversation. */
export interface ExampleTurn {
  role: 'user' | 'assistant';
  text: string;
}

/**
 * The format that a model without native tool calling is asked to write, and in which its past calls and their results
 * are replayed. All calls of one reply are formatted together, as the model should have written them. What the model
 * actually writes is read by the same parser, whichever format it was asked for.
 */
export interface ProtocolCodec {
  /** Its name in a model's configuration. */
  id: string;
  /** Whether its short version is the default, whatever the size of the prompt: for models that long texts confuse. */
  isBrief?: true;
  /** The section of the system prompt that describes the format and all tools. */
  formatTools(tools: readonly ToolSpec[], options: Omit<ProtocolSettings, 'codec'>): string;
  /** A sample conversation that stands before the real one; none if it is left out. */
  formatExampleTurns?(tools: readonly ToolSpec[], options: Omit<ProtocolSettings, 'codec'>): ExampleTurn[];
  /** The calls of one reply. */
  formatToolCalls(calls: readonly ReplayedCall[]): string;
  /** A result, an error included, that names its tool, and whose text cannot be taken for another result. */
  formatToolResult(result: ReplayedResult): string;
  /** The message to a model that named this tool in a call that could not be read. */
  formatCorrection(tool: ToolSpec): string;
  /** Ends the system prompt. It stands nowhere else: weak models repeat what follows a result. */
  reminder: string;
  /** Sequences that stop a model that starts to invent results. */
  stopSequences: readonly string[];
}

import type { ToolSpec } from '#lib/tools/core/spec.ts';

/** Settings that say how a prompt describes the tools to the model. */
export interface ProtocolSettings {
  /** The id of the codec in whose format the model is asked to write calls. */
  codec: string;
  /** Whether to include worked examples, which use fictional tools. */
  examples: boolean;
  /** Whether to keep everything short, for models with a small context. */
  compact: boolean;
  /** Present if the model is asked for one call at a time. */
  singleCalls?: true | undefined;
}

/** The settings for describing tools that apply to prompts whose own settings have none, such as those of earlier versions. */
export const FALLBACK_PROTOCOL: ProtocolSettings = { codec: 'json', examples: true, compact: false };

/** An earlier call as later prompts show it to a model without native tool calling, with its arguments as JSON text. */
export interface ReplayedCall {
  toolCallId: string;
  toolName: string;
  inputText: string;
}

/** The result of an earlier call as later prompts show it to a model without native tool calling. */
export interface ReplayedResult {
  toolCallId: string;
  toolName: string;
  /** The text that the model reads. For a failed call, it includes the error's code. */
  text: string;
  hasFailed: boolean;
}

/** A message of a sample conversation, which shows a model how calls and results follow each other. */
export interface ExampleTurn {
  role: 'user' | 'assistant';
  text: string;
}

/**
 * The format in which a model without native tool calling is asked to write its calls, and in which later prompts show it
 * its earlier calls and their results. All calls of one reply are formatted together, as the model should have written them.
 * The calls that the model actually writes are read by the same parser, whichever format it was asked for.
 */
export interface ProtocolCodec {
  /** The codec's name in a model's configuration. */
  id: string;
  /**
   * Present if the short version (`compact`) is the default whatever the size of the prompt, because the codec is for models
   * that long texts confuse.
   */
  isBrief?: true;
  /** The section of the system prompt that describes the format and all tools. */
  formatTools(tools: readonly ToolSpec[], options: Omit<ProtocolSettings, 'codec'>): string;
  /** Returns a sample conversation that stands before the real one. Without this method, there is none. */
  formatExampleTurns?(tools: readonly ToolSpec[], options: Omit<ProtocolSettings, 'codec'>): ExampleTurn[];
  /** Writes the calls of one reply as the model should have written them. */
  formatToolCalls(calls: readonly ReplayedCall[]): string;
  /** Writes a result, or an error. It names its tool, and its text cannot be taken for another result. */
  formatToolResult(result: ReplayedResult): string;
  /** Writes the message to a model that named this tool in a call that could not be read. */
  formatCorrection(tool: ToolSpec): string;
  /**
   * A reminder of the format, which ends the system prompt. It stands nowhere else: weak models repeat what follows a result.
   */
  reminder: string;
  /** Sequences at which the endpoint ends a reply, for models that start to invent results. */
  stopSequences: readonly string[];
}

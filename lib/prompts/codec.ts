import type { AnyToolDefinition } from '#lib/tools/registry.ts';
import type { ToolResult } from '#lib/tools/tool.ts';

/** The forms a model can be asked for. */
export const CODEC_IDS = ['json', 'raw', 'xml', 'delimited'] as const;

export type CodecId = (typeof CODEC_IDS)[number];

/** How a model is told of its tools. */
export interface ProtocolSettings {
  codec: CodecId;
  /** Whether worked examples are shown, with tools that do not exist. */
  examples: boolean;
  /** Whether everything is said in few words, for models with a small context. */
  compact: boolean;
}

export const DEFAULT_PROTOCOL: ProtocolSettings = { codec: 'json', examples: true, compact: false };

/** A call as it is replayed to the model: the arguments as JSON text. */
export interface ReplayedCall {
  toolCallId: string;
  toolName: string;
  inputText: string;
}

/**
 * What a model without native tool calling is asked to write, and how its past calls and their results are replayed.
 * All calls of one reply are formatted together, as the model should have written them. What it does write is read by
 * one parser, whatever it was asked for.
 */
export interface ProtocolCodec {
  id: CodecId;
  formatTools(tools: readonly AnyToolDefinition[], options: Omit<ProtocolSettings, 'codec'>): string;
  formatToolCalls(calls: readonly ReplayedCall[]): string;
  formatToolResult(result: ToolResult): string;
  /** What a model is told that named the tool in a call that could not be read. */
  formatCorrection(tool: AnyToolDefinition): string;
  /** A short reminder of the form, sent with every model call. */
  reminder: string;
  /** Where a model that starts to invent results is stopped. */
  stopSequences: readonly string[];
}

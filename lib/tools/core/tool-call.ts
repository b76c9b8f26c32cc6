import type { CallOrigin } from '../execution/call-origin.ts';
import type { KnownFile } from '../execution/known-files.ts';
import { contentText, type ToolContent } from './content.ts';

/**
 * The reasons why a call can fail (rule R1). `aborted`: stopped, before or while it ran; `interrupted`: it may have run, but
 * its result is lost; `incomplete`: its arguments were cut off, so it did not run; `denied`: the user, a setting, or a limit
 * forbids it.
 */
export const TOOL_ERROR_CODES = [
  'no-such-tool',
  'invalid-input',
  'denied',
  'aborted',
  'timed-out',
  'interrupted',
  'incomplete',
  'failed',
] as const;

/** The reason why a call failed; see `TOOL_ERROR_CODES`. */
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

/** A tool's output. `content`: what the model reads. `data`: structured, for the UI and the stream; never interpreted. */
export interface ToolOutput {
  content: ToolContent;
  data?: unknown;
  /** Files whose content the model knows from this call, because the call showed it, or the model provided it. */
  files?: KnownFile[];
}

/** The progress of a running call: the amount that is done, the whole amount if it is known, and a text about it. */
export interface CallProgress {
  done: number;
  of?: number;
  text?: string;
}

/** The size of a call's changes: the number of changed files, and of lines added and removed in text files. */
export interface ChangedAmount {
  files: number;
  added: number;
  removed: number;
}

/** The result of a call, of which each call gets exactly one (rule R1): the tool's output, or an error. */
export type ToolResult = {
  toolCallId: string;
  toolName: string;
  /**
   * Wall-clock time of the execution in milliseconds. Absent if nothing ran, or if the time is not known, such as for calls
   * within calls and for those that were interrupted.
   */
  durationMs?: number;
  /** Files whose content the model knows after the call; also after a failed call that wrote some files first. */
  files?: KnownFile[] | undefined;
  /** The size of the call's changes to files, for people; the model does not get it. */
  changed?: ChangedAmount | undefined;
} & (
  | { type: 'tool-result'; output: Omit<ToolOutput, 'files'> }
  | { type: 'tool-error'; code: ToolErrorCode; message: string }
);

/** The state in which the arguments of a call arrived: complete, as text that is not a JSON object, or cut off. */
export type ToolInputState = 'complete' | 'invalid' | 'incomplete';

/** A call of a tool, as a model made it. */
export interface ToolCall {
  /** Created by the server; globally unique (rule R2). */
  toolCallId: string;
  /** The tool's name as the model wrote it; there may be no tool of this name. */
  toolName: string;
  /** The arguments, parsed from JSON. They count only if `inputState` is `complete`. */
  input: unknown;
  inputState: ToolInputState;
  /** The arguments' JSON text as far as it arrived, if `inputState` is not `complete`. */
  inputText?: string;
  /** The origin of the call's text, if it may not come from the model alone. */
  origin?: CallOrigin;
}

/**
 * Thrown by tools and capabilities to fail a call with an error code of their choice. `files`: the files whose contents the
 * message shows to the model.
 */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: ToolErrorCode;
  readonly files: readonly KnownFile[];

  constructor(code: ToolErrorCode, message: string, files: readonly KnownFile[] = []) {
    super(message);
    this.code = code;
    this.files = files;
  }
}

/** A result as models read it. A call without a result reads as one that was not run. */
export function resultText(result: ToolResult | undefined): string {
  if (result === undefined) return 'Error (aborted): The call was not run.';
  return result.type === 'tool-result'
    ? contentText(result.output.content)
    : `Error (${result.code}): ${result.message}`;
}

/** The text of a result, without the code of a failure: for people, and for comparing texts. */
export const resultContent = (result: ToolResult): string =>
  result.type === 'tool-result' ? contentText(result.output.content) : result.message;

import type { ToolContent } from '../core/content.ts';
import type { Tool } from '../core/tool.ts';
import type { ChangedAmount, ToolResult } from '../core/tool-call.ts';
import { type KnownFile, type KnownFiles, NOTHING_KNOWN } from './known-files.ts';

/** Adds sentences to a result that tell the model which of its arguments were replaced, and with what. */
export const withAdjusted = (result: ToolResult, adjusted: readonly string[]): ToolResult =>
  adjusted.length === 0 ? result : withText(result, `\n\n[${adjusted.join(' ')}]`);

/** Adds notes to a result that the user wrote when allowing the call or its inner calls. */
export const withNotes = (result: ToolResult, notes: readonly string[]): ToolResult =>
  notes.length === 0 ? result : withText(result, `\n\n[Note from the user: ${notes.join(' ')}]`);

/** Adds a text to the end of a result's content, or of its error message. */
function withText(result: ToolResult, note: string): ToolResult {
  if (result.type === 'tool-error') return { ...result, message: result.message + note };
  const { content } = result.output;
  const noted: ToolContent =
    typeof content === 'string' ? content + note : [...content, { type: 'text', text: note.trim() }];
  return { ...result, output: { ...result.output, content: noted } };
}

/** Information about the changes that calls have made. */
export interface ChangedFiles {
  /** The record of the contents that the model has read or written, by file; absent outside of a conversation. */
  known?: KnownFiles;
  /** The files as a call left them, whichever claimant ran it; only those whose whole content the model knows. */
  writtenBy?(toolCallId: string, known: KnownFiles): Promise<KnownFile[]>;
  /** Returns the size of a call's changes in the workspace; undefined if there are none. */
  changedBy?(toolCallId: string): Promise<ChangedAmount | undefined>;
}

/**
 * Adds the files that a call changed, and the size of its changes, to its result. Returns results of tools that only read as
 * they are.
 */
export async function withWritten(
  result: ToolResult,
  { effect }: Pick<Tool, 'effect'>,
  { writtenBy, changedBy, known = NOTHING_KNOWN }: ChangedFiles,
): Promise<ToolResult> {
  if (effect === 'read') return result;
  // If the history cannot be read, the model has to read the files again before it replaces them.
  const written = (await writtenBy?.(result.toolCallId, known).catch(() => [])) ?? [];
  const changed = await changedBy?.(result.toolCallId).catch(() => undefined);
  const files = new Map([...written, ...(result.files ?? [])].map((file) => [file.path, file]));
  return {
    ...result,
    ...(files.size > 0 && { files: [...files.values()] }),
    ...(changed !== undefined && { changed }),
  };
}

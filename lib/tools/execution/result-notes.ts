import { defined } from '#lib/base/defined.ts';
import type { ToolContent } from '../core/content.ts';
import type { Tool } from '../core/tool.ts';
import type { ChangedAmount, ToolResult } from '../core/tool-call.ts';
import { type KnownFile, type KnownFiles, NOTHING_KNOWN } from './known-files.ts';

/**
 * Returns a result with the sentences `adjusted` added, which tell the model which of the call's arguments were replaced,
 * and with what.
 */
export const withAdjusted = (result: ToolResult, adjusted: readonly string[]): ToolResult =>
  adjusted.length === 0 ? result : withText(result, `\n\n[${adjusted.join(' ')}]`);

/** Returns a result with the notes added that the user wrote for the model when allowing the call or its inner calls. */
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

/** The functions that find out which changes calls have made to files, and the record of known contents that they need. */
export interface ChangedFiles {
  /** The record of the contents that the model has read or written, by file; absent outside of a conversation. */
  known?: KnownFiles;
  /** The files as a call left them, whichever claimant ran it; only those whose whole content the model knows. */
  writtenBy?(toolCallId: string, known: KnownFiles): Promise<KnownFile[]>;
  /** Returns the size of a call's changes in the workspace; undefined if there are none. */
  changedBy?(toolCallId: string): Promise<ChangedAmount | undefined>;
}

/**
 * Returns the result of a call with the files that it changed, as far as the model knows their whole content, and the size of
 * its changes; a result of a tool that only reads as it is.
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
    ...defined({ changed }),
  };
}

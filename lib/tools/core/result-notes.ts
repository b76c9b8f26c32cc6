import type { ToolContent } from './content.ts';
import type { ToolResult } from './tool-call.ts';

/** Tells the model which of its arguments were not used as it wrote them. */
export const withAdjusted = (result: ToolResult, adjusted: readonly string[]): ToolResult =>
  adjusted.length === 0 ? result : withText(result, `\n\n[${adjusted.join(' ')}]`);

/** Adds what the user has said about a call. */
export const withNotes = (result: ToolResult, notes: readonly string[]): ToolResult =>
  notes.length === 0 ? result : withText(result, `\n\n[Note from the user: ${notes.join(' ')}]`);

/** Adds a text to what the model gets. */
function withText(result: ToolResult, note: string): ToolResult {
  if (result.type === 'tool-error') return { ...result, message: result.message + note };
  const { content } = result.output;
  const noted: ToolContent =
    typeof content === 'string' ? content + note : [...content, { type: 'text', text: note.trim() }];
  return { ...result, output: { ...result.output, content: noted } };
}

import { parsePartialJsonObject } from 'assistant-stream/utils';
import { visibleText } from '#components/ui/visible-text.ts';
import { withExactNumbers } from '#lib/base/rounded-number.ts';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { touchedFiles } from '#lib/tools/touched-files.ts';

/** A call's arguments by name; while they arrive, as far as they can be read. Empty if they are not an object. */
export function readableInput({ input, inputText }: ToolCallPart): ReadonlyMap<string, unknown> {
  const value = input ?? (inputText === undefined ? undefined : parsePartialJsonObject(withExactNumbers(inputText)));
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/**
 * The text that a collapsed card shows as a call's target: the first line that is not blank of the argument that the tool's
 * presentation names as `target` or, if it names none, of the first argument. A value that is not a text is shown as JSON.
 * Empty if the argument is missing or blank.
 */
export function primaryText(tool: Tool | undefined, input: ReadonlyMap<string, unknown>): string {
  const name = tool?.presentation.target;
  const value = name === undefined ? [...input.values()][0] : input.get(name);
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return visibleText(text.split('\n').find((line) => line.trim() !== '') ?? '');
}

/** The path of the first file that a call touches, which its card can open; undefined if there is none. */
export const touchedFile = (tool: Tool | undefined, { input }: ToolCallPart): string | undefined =>
  tool && touchedFiles(tool, input)[0];

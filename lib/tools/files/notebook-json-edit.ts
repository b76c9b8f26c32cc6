import { ToolFailure } from '../core/tool-call.ts';
import { applyEdit, type Edit, occurrence } from './edits.ts';
import { withLf } from './line-ends.ts';
import { jsonTokens, type Span, unshownValues } from './notebook-sources.ts';

/**
 * Applies an edit to the JSON of a notebook. Its `find` must be whole tokens of the JSON (strings, numbers, punctuation) as
 * they are there, with at least one string; what models do not see of a notebook (outputs, attachments, and widgets) is never
 * changed. Returns the new text and the number of replacements (`places`). Throws `ToolFailure` if `find` is not such tokens,
 * or is ambiguous or the same as the new text.
 */
export function editNotebookJson(text: string, edit: Edit): { text: string; places: number } {
  const { shown, restore } = withoutValues(text, unshownValues(text));
  if (!isWholeJson(shown, edit.find))
    throw new ToolFailure(
      'failed',
      '"find" is in no cell of the notebook. Read it with read_file, and give the text of one cell as it is there.',
    );
  const edited = applyEdit(shown, edit);
  return { text: restore(edited.text), places: edited.places };
}

/** Puts a mark in the place of each value; no "find" has such a mark. `restore` puts them back. */
function withoutValues(text: string, values: readonly Span[]): { shown: string; restore(edited: string): string } {
  const key = crypto.randomUUID();
  let shown = '';
  let end = 0;
  const marks = new Map<string, string>();
  for (const [index, span] of values.entries()) {
    const value = text.slice(span.start, span.end);
    // The numbers of lines in errors remain those of the file.
    const mark = `"${key}-${index}-${'\n'.repeat(value.split('\n').length - 1)}"`;
    marks.set(mark, value);
    shown += text.slice(end, span.start) + mark;
    end = span.end;
  }
  const pattern = new RegExp(`"${key}-\\d+-\\n*"`, 'g');
  return {
    shown: shown + text.slice(end),
    restore: (edited) => edited.replace(pattern, (mark) => marks.get(mark) ?? ''),
  };
}

/** Checks whether a text occurs in JSON, everywhere as whole tokens, at least one of which is a string. */
function isWholeJson(json: string, find: string): boolean {
  if (!find.includes('"') || occurrence(json, find) !== 'exact') return false;
  const [text, searched] = [withLf(json), withLf(find)];
  const begins = new Set<number>();
  const ends = new Set<number>();
  const begin = searched.length - searched.trimStart().length;
  const end = searched.trimEnd().length;
  for (let at = text.indexOf(searched); at !== -1; at = text.indexOf(searched, at + searched.length)) {
    begins.add(at + begin);
    ends.add(at + end);
  }
  const count = begins.size;
  let whole = 0;
  for (const { token, at } of jsonTokens(text)) {
    if (begins.has(at)) whole++;
    if (ends.has(at + token.length)) whole++;
  }
  return whole === 2 * count;
}

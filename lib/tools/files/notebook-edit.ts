import { ToolFailure } from '../core/tool-call.ts';
import { applyEdit, type Edit, occurrence } from './edits.ts';
import { parseJson } from './notebook.ts';
import { editNotebookJson } from './notebook-json-edit.ts';
import { cellSources } from './notebook-sources.ts';

/**
 * Applies an edit to a notebook: to the source of the one cell that has the text, as a model reads it, or with `replaceAll` of
 * each such cell; if there is none, to the file's JSON. Everything else stays as it is, to the byte. Edits a file that is not
 * JSON as plain text. Returns the new text and the number of replacements (`places`). Throws `ToolFailure` if the text to
 * replace is empty, not there, ambiguous, or the same as the new one, and if the file would not be JSON any more.
 */
export function editNotebook(text: string, edit: Edit): { text: string; places: number } {
  const sources = cellSources(text);
  if (sources === undefined || edit.find === '') return applyEdit(text, edit);
  const found = sources.map((span) => ({ span, as: occurrence(span.source, edit.find) }));
  const best = found.some(({ as }) => as === 'exact') ? 'exact' : 'alike';
  const having = found.filter(({ as }) => as === best).map(({ span }) => span);
  if (having.length === 0) {
    const edited = editNotebookJson(text, edit);
    refuseNoJson(text, edited.text);
    return edited;
  }
  if (having.length > 1 && edit.replaceAll !== true)
    throw new ToolFailure(
      'failed',
      `"find" occurs in cells ${having.map(({ cell }) => cell).join(', ')}. Make it longer so that it occurs only once, or set "replaceAll".`,
    );
  let edited = text;
  let places = 0;
  // From the end, so that the places of those before stay the same.
  for (const span of having.reverse()) {
    const changed = applyEdit(span.source, edit);
    places += changed.places;
    edited =
      edited.slice(0, span.start) + written(changed.text, text.slice(span.start, span.end)) + edited.slice(span.end);
  }
  return { text: edited, places };
}

/** Throws `ToolFailure` if a notebook's text is JSON before a change, but not after it. */
export function refuseNoJson(before: string, after: string): void {
  if (parseJson(after) !== undefined || parseJson(before) === undefined) return;
  throw new ToolFailure(
    'failed',
    'Not written. The file would not be a notebook any more, because it would not be JSON. Change a cell with edit_file, with text of its source as read_file returns it, or write valid JSON.',
  );
}

/** A source as JSON, in the form that the file has it: as one text or as lines, indented like the lines before. */
function written(source: string, before: string): string {
  if (before.startsWith('"')) return JSON.stringify(source);
  const lines = source.match(/[^\n]*\n|[^\n]+/g) ?? [];
  if (lines.length === 0) return '[]';
  const [, inner] = /^\[(\s*)/.exec(before) ?? [];
  const [, outer] = /(\s*)\]$/.exec(before) ?? [];
  const strings = lines.map((line) => JSON.stringify(line));
  return inner === undefined || inner === ''
    ? `[${strings.join(', ')}]`
    : `[${inner}${strings.join(`,${inner}`)}${outer ?? ''}]`;
}

import { closest } from 'fastest-levenshtein';
import { counted } from '../core/counted.ts';
import { ToolFailure } from '../core/tool-call.ts';

/** One replacement in a text. */
export interface Edit {
  find: string;
  replace: string;
  replaceAll?: boolean | undefined;
}

/** How many lines an error shows around the closest match. */
const SHOWN_AROUND = 3;
/** How much of a line is compared, in characters. */
const COMPARED_LENGTH = 200;
/** How many matches an error lists. */
const NAMED_PLACES = 5;

/**
 * Applies one edit; returns the new text and the number of replacements. Keeps the line breaks of the text, whichever
 * ones the edit uses. Throws `ToolFailure` if the text to find does not occur, or occurs more than once.
 */
export function applyEdit(text: string, { find, replace, replaceAll = false }: Edit): { text: string; places: number } {
  if (find === '')
    throw new ToolFailure('failed', '"find" is empty. Give the text to replace, or write the whole file.');
  if (find === replace) throw new ToolFailure('failed', '"find" and "replace" are the same, so nothing would change.');
  const usesCrLf = text.includes('\r\n') && !text.includes(find);
  const [from, to] = usesCrLf ? [withCrLf(find), withCrLf(replace)] : [find, replace];
  const places = placesOf(text, from);
  if (places.length === 0) throw new ToolFailure('failed', notFound(text, find));
  if (places.length > 1 && !replaceAll) throw new ToolFailure('failed', ambiguous(text, places));
  return { text: text.split(from).join(to), places: places.length };
}

const withCrLf = (text: string): string => text.replace(/\r?\n/g, '\r\n');

function placesOf(text: string, find: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(find); at !== -1; at = text.indexOf(find, at + find.length)) places.push(at);
  return places;
}

const lineAt = (text: string, place: number): number => text.slice(0, place).split('\n').length;

function ambiguous(text: string, places: readonly number[]): string {
  const lines = places.slice(0, NAMED_PLACES).map((place) => lineAt(text, place));
  const more = places.length > NAMED_PLACES ? ', …' : '';
  return `"find" occurs ${places.length} times, on lines ${lines.join(', ')}${more}. Make it longer so that it occurs only once, or set "replaceAll".`;
}

/** Shows the closest text: most edits fail because of white space, or because a line has changed since. */
function notFound(text: string, find: string): string {
  const lines = text.split(/\r?\n/);
  const wanted = find.split(/\r?\n/).find((line) => line.trim() !== '');
  if (wanted === undefined || text.trim() === '') return '"find" is not in the file. Read the file and try again.';
  const compared = lines.map((line) => line.trim().slice(0, COMPARED_LENGTH));
  const nearest = compared.indexOf(closest(wanted.trim().slice(0, COMPARED_LENGTH), compared));
  const first = Math.max(0, nearest - SHOWN_AROUND);
  const shown = lines
    .slice(first, nearest + SHOWN_AROUND + find.split('\n').length)
    .map((line, index) => `${first + index + 1}: ${line}`);
  return `"find" is not in the file. It must match exactly, including whitespace. The closest text is:\n${shown.join('\n')}`;
}

/** A short description of what an edit changed. */
export function describeChange(before: string, after: string): string {
  const lines = (text: string): number => (text === '' ? 0 : text.split('\n').length);
  const difference = lines(after) - lines(before);
  return difference === 0
    ? 'same number of lines'
    : counted(Math.abs(difference), difference > 0 ? 'more line' : 'fewer line');
}

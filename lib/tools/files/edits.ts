import { closest } from 'fastest-levenshtein';
import { counted } from '../core/counted.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { inPlaceOf, linesOf, usualEnd, withLf } from './line-ends.ts';

/** One replacement in a text: of `find`, which must occur exactly once, or of each occurrence with `replaceAll`. */
export interface Edit {
  find: string;
  replace: string;
  replaceAll?: boolean | undefined;
}

/** The number of lines that an error shows before and after the closest match. */
const SHOWN_AROUND = 3;
/** The number of characters at the beginning of a line that are compared to find the closest match. */
const COMPARED_LENGTH = 200;
/** The most matches whose lines an error lists, if there are several. */
const NAMED_PLACES = 5;

/**
 * Applies one edit; returns the new text and the number of replacements. While searching, kinds of line ends count as the same
 * and, if the text is not found otherwise, kinds of spaces, quotes, and dashes. Everything outside the change stays as it is;
 * added lines get the line end of the line before them. A `find` with carriage returns that is in the text exactly is replaced
 * exactly. Throws `ToolFailure` if `find` is empty, is the same as `replace`, does not occur, or occurs more than once without
 * `replaceAll`.
 */
export function applyEdit(text: string, { find, replace, replaceAll = false }: Edit): { text: string; places: number } {
  if (find === '')
    throw new ToolFailure('failed', '"find" is empty. Give the text to replace, or write the whole file.');
  const isExact = find.includes('\r') && text.includes(find);
  const [from, to] = isExact ? [find, replace] : [withLf(find), withLf(replace)];
  if (from === to) throw new ToolFailure('failed', '"find" and "replace" are the same, so nothing would change.');
  const isPlain = isExact || !text.includes('\r');
  const searched = isPlain ? text : withLf(text);
  const places = placesOf(searched, from);
  if (places.length === 0) {
    const alike = editAlike(text, searched, { find: from, replace: to, replaceAll });
    if (alike !== undefined) return alike;
    throw new ToolFailure('failed', notFound(text, find));
  }
  if (places.length > 1 && !replaceAll) throw new ToolFailure('failed', ambiguous(searched, places));
  const edited = isPlain ? text.split(from).join(to) : replaceAt(text, places, from.length, to.split('\n'));
  return { text: edited, places: places.length };
}

/** Characters that people and word processors write, with the plain ones that models write in their place. */
const PLAIN: readonly (readonly [written: RegExp, plain: string])[] = [
  [/[\u00a0\u2007\u2009\u202f]/g, ' '],
  [/[‘’‚‛′]/g, "'"],
  [/[“”„‟″]/g, '"'],
  [/[‐‑‒–—−]/g, '-'],
];

/** A text in which spaces, quotes, and dashes are replaced with plain ones; its length stays the same. */
const plainText = (text: string): string =>
  PLAIN.reduce((plain, [written, character]) => plain.replace(written, character), text);

/**
 * Checks whether a text contains `find`. `exact`: as it is, except for line ends. `alike`: with other kinds of spaces,
 * quotes, and dashes. Otherwise `none`.
 */
export function occurrence(text: string, find: string): 'exact' | 'alike' | 'none' {
  const [searched, from] = [withLf(text), withLf(find)];
  if (searched.includes(from)) return 'exact';
  return plainText(searched).includes(plainText(from)) ? 'alike' : 'none';
}

/**
 * Applies an edit whose "find" differs from the file only in kinds of spaces, quotes, and dashes. The beginning and the end
 * that "find" and "replace" share keep the file's characters. Undefined if the text does not occur, or is ambiguous.
 */
function editAlike(
  text: string,
  searched: string,
  { find, replace, replaceAll = false }: Edit,
): ReturnType<typeof applyEdit> | undefined {
  const places = placesOf(plainText(searched), plainText(find));
  if (places.length === 0 || (places.length > 1 && !replaceAll)) return undefined;
  const shorter = Math.min(find.length, replace.length);
  let first = 0;
  while (first < shorter && find[first] === replace[first]) first++;
  let last = 0;
  while (last < shorter - first && find.at(-1 - last) === replace.at(-1 - last)) last++;
  const pieces = new Set(places.map((place) => searched.slice(place, place + find.length)));
  let edited = text;
  for (const piece of pieces) {
    const now = `${piece.slice(0, first)}${replace.slice(first, replace.length - last)}${piece.slice(piece.length - last)}`;
    edited = applyEdit(edited, { find: piece, replace: now, replaceAll }).text;
  }
  return { text: edited, places: places.length };
}

/** Replaces the `length` characters at each of `places` with the lines `now`. Offsets count a line end as one character. */
function replaceAt(text: string, places: readonly number[], length: number, now: readonly string[]): string {
  const lines = linesOf(text);
  const usual = usualEnd(lines);
  const result: string[] = [];
  let row = 0;
  /** The offset of the current line: with line ends counted as one character, and in the text itself. */
  let [start, begin] = [0, 0];
  const goTo = (place: number): number => {
    for (let line = lines[row]; line !== undefined && place > start + line.text.length; line = lines[++row]) {
      start += line.text.length + 1;
      begin += line.text.length + line.end.length;
    }
    return place - start;
  };
  let rest = 0;
  for (const place of places) {
    const from = goTo(place);
    const [first, previous] = [row, lines[row - 1]?.end];
    result.push(text.slice(rest, begin + from));
    const to = goTo(place + length);
    const old = lines.slice(first, row + 1).map((line, index, { length: count }) => ({
      text: line.text.slice(index === 0 ? from : 0, index === count - 1 ? to : undefined),
      end: line.end,
    }));
    result.push(inPlaceOf(old, now, { previous, usual }));
    rest = begin + to;
  }
  return [...result, text.slice(rest)].join('');
}

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

/** The error for a text that was not found. It shows the closest text, since often only white space or a line differs. */
function notFound(text: string, find: string): string {
  const lines = withLf(text).split('\n');
  const wanted = withLf(find)
    .split('\n')
    .find((line) => line.trim() !== '');
  if (wanted === undefined || text.trim() === '') return '"find" is not in the file. Read the file and try again.';
  const compared = lines.map((line) => line.trim().slice(0, COMPARED_LENGTH));
  const nearest = compared.indexOf(closest(wanted.trim().slice(0, COMPARED_LENGTH), compared));
  const first = Math.max(0, nearest - SHOWN_AROUND);
  const shown = lines
    .slice(first, nearest + SHOWN_AROUND + withLf(find).split('\n').length)
    .map((line, index) => `${first + index + 1}: ${line}`);
  return `"find" is not in the file. It must match exactly, including whitespace. The closest text is:\n${shown.join('\n')}`;
}

/** Describes for the model by how many lines a text has grown or shrunk, such as “2 more lines”. */
export function describeChange(before: string, after: string): string {
  const lines = (text: string): number => (text === '' ? 0 : linesOf(text).length);
  const difference = lines(after) - lines(before);
  return difference === 0
    ? 'same number of lines'
    : counted(Math.abs(difference), difference > 0 ? 'more line' : 'fewer line');
}

import { closest } from 'fastest-levenshtein';
import { counted } from '../core/counted.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { inPlaceOf, linesOf, usualEnd, withLf } from './line-ends.ts';

/** One replacement in a text. */
export interface Edit {
  find: string;
  replace: string;
  replaceAll?: boolean | undefined;
}

/** The number of lines that an error shows before and after the closest match. */
const SHOWN_AROUND = 3;
/** The part of a line that is compared, in characters. */
const COMPARED_LENGTH = 200;
/** The most matches that an error lists. */
const NAMED_PLACES = 5;

/**
 * Applies one edit; returns the new text and the number of replacements. Line ends count as the same while searching, and
 * every byte outside the change stays as it is: lines that are added end as the line before them. A "find" with carriage
 * returns that is in the text exactly is replaced exactly. Throws `ToolFailure` if the text to find does not occur, or
 * occurs more than once.
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

/** Characters of people and word processors, and the plain ones that models write in their place. */
const PLAIN: readonly (readonly [written: RegExp, plain: string])[] = [
  [/[\u00a0\u2007\u2009\u202f]/g, ' '],
  [/[‘’‚‛′]/g, "'"],
  [/[“”„‟″]/g, '"'],
  [/[‐‑‒–—−]/g, '-'],
];

/** A text with plain spaces, quotes, and hyphens, each in the place of one character. */
const plainText = (text: string): string =>
  PLAIN.reduce((plain, [written, character]) => plain.replace(written, character), text);

/**
 * Applies an edit whose text is in the file but for non-breaking spaces, and forms of quotes and dashes. What the edit leaves
 * the same keeps the file's characters. Undefined if there is no such text, or if it isn't clear which one is meant.
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

/** Replaces pieces of a text by lines. `places` and `length` count each line end as one character. */
function replaceAt(text: string, places: readonly number[], length: number, now: readonly string[]): string {
  const lines = linesOf(text);
  const usual = usualEnd(lines);
  const result: string[] = [];
  let row = 0;
  /** The beginning of the line: counted like the places, and in the text. */
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

/** Shows the closest text: most edits fail because of white space, or because a line has changed since. */
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

/** A short description of what an edit changed. */
export function describeChange(before: string, after: string): string {
  const lines = (text: string): number => (text === '' ? 0 : linesOf(text).length);
  const difference = lines(after) - lines(before);
  return difference === 0
    ? 'same number of lines'
    : counted(Math.abs(difference), difference > 0 ? 'more line' : 'fewer line');
}

import * as z from 'zod';
import { parseJson } from './notebook.ts';

/** The place of a value in a JSON text, in characters. `end`: after its last character. */
export interface Span {
  start: number;
  end: number;
}

/** The source of a cell, and the place of its JSON in the file. */
interface SourceSpan extends Span {
  /** The number of the cell, from 1. */
  cell: number;
  source: string;
}

/** An object or an array that has begun. */
interface Container {
  isArray: boolean;
  /** The index of the current value in an array. */
  index: number;
  key: string;
  expectsKey: boolean;
}

const sourceSchema = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))]);

/**
 * Finds the sources of a notebook's cells (the code or text that a person writes in them), in their order, each with the cell's
 * number, from 1, and the place of its JSON in the text. Undefined if the text is not JSON.
 */
export function cellSources(text: string): SourceSpan[] | undefined {
  if (parseJson(text) === undefined) return undefined;
  return valuesAt(text, isSourceOfCell).flatMap(({ start, end, cell }) => {
    const { data: source } = sourceSchema.safeParse(JSON.parse(text.slice(start, end)));
    return source === undefined ? [] : { cell, source, start, end };
  });
}

/**
 * Finds the places of what models do not get when they read a notebook as JSON, and what edits of that JSON must keep: outputs,
 * attachments, and widgets, as far as they are not empty. The text must be JSON.
 */
export const unshownValues = (text: string): Span[] =>
  valuesAt(text, isUnshown).filter(({ start, end }) => /[^\s[\]{}]/.test(text.slice(start, end)));

/** The values of JSON whose place, as the containers that are open there, is one of those wanted. */
function valuesAt(
  text: string,
  isWanted: (open: readonly Container[]) => boolean,
): (Span & { /** The number of the cell that it is in, from 1. */ cell: number })[] {
  const found: ReturnType<typeof valuesAt> = [];
  const open: Container[] = [];
  let begun: { start: number; depth: number } | undefined;
  const finish = (end: number): void => {
    if (begun !== undefined) found.push({ start: begun.start, end, cell: (open[1]?.index ?? 0) + 1 });
    begun = undefined;
  };
  for (const { token, at } of jsonTokens(text)) {
    const inner = open.at(-1);
    if (token === ',' && inner !== undefined) {
      inner.index++;
      inner.expectsKey = !inner.isArray;
    } else if (token === '}' || token === ']') {
      open.pop();
      if (begun?.depth === open.length) finish(at + 1);
    } else if (inner?.expectsKey) {
      inner.key = JSON.parse(token);
      inner.expectsKey = false;
    } else if (token !== ':') {
      const begins = begun === undefined && isWanted(open);
      if (begins) begun = { start: at, depth: open.length };
      if (token === '{' || token === '[')
        open.push({ isArray: token === '[', index: 0, key: '', expectsKey: token === '{' });
      else if (begins) finish(at + token.length);
    }
  }
  return found;
}

/** Checks whether the value that begins is `cells[…].source`. */
const isSourceOfCell = ([root, cells, cell, ...others]: readonly Container[]): boolean =>
  root?.key === 'cells' && cells?.isArray === true && cell?.key === 'source' && !cell.isArray && others.length === 0;

/** Checks whether the value that begins is one that models do not see. */
const isUnshown = ([root, second, cell, ...others]: readonly Container[]): boolean =>
  others.length === 0 &&
  (root?.key === 'metadata'
    ? second?.key === 'widgets' && cell === undefined
    : root?.key === 'cells' && second?.isArray === true && /^(?:outputs|attachments)$/.test(cell?.key ?? ''));

/**
 * Yields the tokens of valid JSON (strings, numbers, words, and punctuation) with their offsets. Strings may be megabytes long,
 * so no regular expression is applied to them.
 */
export function* jsonTokens(text: string): Generator<{ token: string; at: number }> {
  for (let at = 0; at < text.length; ) {
    const letter = text[at] ?? '';
    let end = at + 1;
    if (letter === '"') end = endOfString(text, at);
    else if (/[^\s{}[\],:]/.test(letter)) while (end < text.length && /[^\s{}[\],:]/.test(text[end] ?? '')) end++;
    if (/\S/.test(letter)) yield { token: text.slice(at, end), at };
    at = end;
  }
}

/** The offset after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

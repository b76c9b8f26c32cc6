import * as z from 'zod';
import { parseJson } from './notebook.ts';

/** The source of a cell, and the place of its JSON in the file. */
interface SourceSpan {
  /** The number of the cell, from 1. */
  cell: number;
  source: string;
  start: number;
  end: number;
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

/** Finds the sources of a notebook's cells, in their order; undefined if the text is not JSON. */
export function cellSources(text: string): SourceSpan[] | undefined {
  if (parseJson(text) === undefined) return undefined;
  const spans: SourceSpan[] = [];
  const open: Container[] = [];
  let start: number | undefined;
  const finish = (end: number): void => {
    const read = sourceSchema.safeParse(JSON.parse(text.slice(start, end)));
    if (read.success && start !== undefined)
      spans.push({ cell: (open[1]?.index ?? 0) + 1, source: read.data, start, end });
    start = undefined;
  };
  for (const { token, at } of tokensOf(text)) {
    const inner = open.at(-1);
    if (token === ',' && inner !== undefined) {
      inner.index++;
      inner.expectsKey = !inner.isArray;
    } else if (token === '}' || token === ']') {
      open.pop();
      if (start !== undefined && open.length === 3) finish(at + 1);
    } else if (inner?.expectsKey) {
      inner.key = JSON.parse(token);
      inner.expectsKey = false;
    } else if (token !== ':') {
      const isSource = start === undefined && isSourceOfCell(open);
      if (isSource) start = at;
      if (token === '{' || token === '[')
        open.push({ isArray: token === '[', index: 0, key: '', expectsKey: token === '{' });
      else if (isSource) finish(at + token.length);
    }
  }
  return spans;
}

/** Checks whether the value that begins is `cells[…].source`. */
const isSourceOfCell = ([root, cells, cell, ...others]: readonly Container[]): boolean =>
  root?.key === 'cells' && cells?.isArray === true && cell?.key === 'source' && !cell.isArray && others.length === 0;

/** The tokens of valid JSON, with their places. Strings may be megabytes long, so no pattern goes over them. */
function* tokensOf(text: string): Generator<{ token: string; at: number }> {
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

import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping';
import { tokenizer } from 'acorn';

/**
 * Moves the lines of code that was made from a source to the lines of that source, so that errors name those. Code that needs
 * more lines than its source had is followed by lines that are too far down. Returns the code as it is, if moving lines would
 * change it. `map`: the source map of the code, as JSON.
 */
export function keepLines(code: string, map: string): string {
  const segments = decodedMappings(new TraceMap(map));
  let kept = '';
  let line = 1;
  let last = '';
  for (const [index, text] of code.split('\n').entries()) {
    const indent = text.search(/\S/);
    const first = segments[index]?.findLast(([column]) => column <= indent);
    // A line inside a template string only repeats the place of what is before it.
    const isPlaced = first?.[2] !== undefined && placeOf(first) !== last;
    const breaks = isPlaced ? Math.max(0, (first[2] ?? 0) + 1 - line) : Number(index > 0);
    kept += index > 0 && breaks === 0 ? ` ${text}` : '\n'.repeat(breaks) + text;
    line += breaks;
    last = placeOf(segments[index]?.at(-1)) ?? last;
  }
  return tokensOf(kept) === tokensOf(code) ? kept : code;
}

const placeOf = (segment: readonly number[] | undefined): string | undefined => segment?.slice(2, 4).join(':');

const tokensOf = (code: string): string =>
  JSON.stringify([...tokenizer(code, { ecmaVersion: 'latest' })].map(({ start, end }) => code.slice(start, end)));

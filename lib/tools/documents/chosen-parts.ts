import type { DocumentText } from '../capabilities/documents.ts';
import { counted } from '../core/counted.ts';
import { UnreadableDocument } from './unreadable-document.ts';

/**
 * The parts of a document, such as pages or sheets: their kind and their number. `names`: their names, if they have names,
 * as sheets do.
 */
export interface PartList {
  unit: DocumentText['unit'];
  count: number;
  names?: readonly string[];
}

const RANGE = /^(\d{1,9})?\s*(?:([-–])\s*(\d{1,9})?)?$/;

/** The word for parts before their numbers, as in “pages 3-7”. */
const UNIT = /^(?:pages?|sheets?|slides?|chapters?|cells?)\s+/i;

/**
 * Returns the numbers of the parts that `pages` names, from 1, in the order of the document. `pages`: numbers and ranges
 * such as `3-7, 9`, or the name of a part; all parts if it is absent. Throws `UnreadableDocument`, which says what to give
 * instead, if a range cannot be read, or begins at no part of the document.
 */
export function chosenParts(list: PartList, pages: string | undefined): number[] {
  const { unit, count, names = [] } = list;
  const all = Array.from({ length: count }, (_, index) => index + 1);
  if (pages === undefined || pages.trim() === '' || unit === 'text') return all;
  const isNamed = (number: number) => names[number - 1]?.toLowerCase() === pages.trim().toLowerCase();
  const named = all.filter(isNamed);
  if (named.length > 0) return named;
  const ranges = pages.split(/[,;]/).map((range) => rangeIn(range, list, pages));
  return all.filter((number) => ranges.some(({ first, last }) => number >= first && number <= last));
}

/** The first and the last number of a range such as `3-7`, `3-`, or `3`. Throws `UnreadableDocument`. */
function rangeIn(range: string, list: PartList, pages: string): { first: number; last: number } {
  const [whole = '', from, dash, to] = RANGE.exec(range.trim().replace(UNIT, '')) ?? [];
  if (from === undefined && to !== undefined)
    throw new UnreadableDocument(
      'no-such-part',
      `${JSON.stringify(whole)} has no beginning. Give "1-${to}" or "${to}".`,
    );
  const first = Number(from);
  const last = to === undefined ? (dash === undefined ? first : list.count) : Number(to);
  if (from !== undefined && to !== undefined && last < first)
    throw new UnreadableDocument(
      'no-such-part',
      `${JSON.stringify(whole)} ends before it begins. Give "${last}-${first}".`,
    );
  if (from === undefined || first < 1 || first > list.count)
    throw noSuchPart(list, whole === '' ? pages : range.trim());
  return { first, last };
}

function noSuchPart({ unit, count, names = [] }: PartList, asked: string): UnreadableDocument {
  const listed =
    names.length === 0
      ? ''
      : ` ${names
          .slice(0, 50)
          .map((name) => JSON.stringify(name))
          .join(', ')}`;
  return new UnreadableDocument(
    'no-such-part',
    `There is no ${unit} ${JSON.stringify(asked)}: the document has ${counted(count, unit)}${listed && `:${listed}`}. Give numbers, such as "1-3"${names.length === 0 ? '' : ', or a name'}.`,
  );
}

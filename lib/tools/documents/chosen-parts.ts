import type { DocumentText } from '../capabilities/documents.ts';
import { counted } from '../core/counted.ts';
import { UnreadableDocument } from './unreadable-document.ts';

/** The parts that a document has. `names`: those that have names, such as sheets. */
export interface PartList {
  unit: DocumentText['unit'];
  count: number;
  names?: readonly string[];
}

const RANGE = /^(\d{1,9})\s*(?:[-–]\s*(\d{1,9})?)?$/;

/**
 * The numbers of the parts that `pages` names, from 1, in the order of the document. Throws `UnreadableDocument`, with what
 * there is, if there are no such parts.
 */
export function chosenParts({ unit, count, names = [] }: PartList, pages: string | undefined): number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  if (pages === undefined || pages.trim() === '' || unit === 'text') return all;
  const isNamed = (number: number) => names[number - 1]?.toLowerCase() === pages.trim().toLowerCase();
  const named = all.filter(isNamed);
  if (named.length > 0) return named;
  const ranges = pages
    .split(/[,;]/)
    .map((range) => RANGE.exec(range.trim().replace(/^(?:pages?|sheets?|slides?|chapters?|cells?)\s+/i, '')));
  const isChosen = (number: number) =>
    ranges.some((range) => {
      if (range === null) return false;
      const first = Number(range[1]);
      const isRange = /[-–]/.test(range[0]);
      return number >= first && number <= (range[2] === undefined ? (isRange ? count : first) : Number(range[2]));
    });
  const chosen = ranges.includes(null) ? [] : all.filter(isChosen);
  if (chosen.length > 0) return chosen;
  const listed =
    names.length === 0
      ? ''
      : ` ${names
          .slice(0, 50)
          .map((name) => JSON.stringify(name))
          .join(', ')}`;
  throw new UnreadableDocument(
    'no-such-part',
    `There is no ${unit} ${JSON.stringify(pages)}: the document has ${counted(count, unit)}${listed && `:${listed}`}. Give numbers, such as "1-3"${names.length === 0 ? '' : ', or a name'}.`,
  );
}

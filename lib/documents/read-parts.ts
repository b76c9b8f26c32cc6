import { startOf } from '#lib/base/cut-text.ts';
import type { DocumentPart, DocumentText } from '#lib/tools/capabilities/documents.ts';
import { chosenParts, type PartList } from '#lib/tools/documents/chosen-parts.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';

/** The most parts that are named. */
const NAMED_PARTS = 50;

/** A part as it was read. `isCut`: whether its reader has left out its end, and says so itself. */
type ReadPart = DocumentPart & { isCut?: boolean };

/**
 * Reads the parts of a document, such as its pages, that `pages` names (see `DocumentRequest`), as many as the limits allow; a
 * note says how to get the rest. `list`: the kind, the number, and possibly the names of all parts. `read`: reads the part with
 * a number from 1. Rejects with `UnreadableDocument` if there are no such parts.
 */
export async function readParts(
  list: PartList,
  pages: string | undefined,
  read: (number: number) => ReadPart | Promise<ReadPart>,
): Promise<DocumentText> {
  const { unit, count } = list;
  const chosen = chosenParts(list, pages);
  const parts: DocumentPart[] = [];
  const notes: string[] = [];
  let room = DOCUMENT_LIMITS.text;
  for (const [index, number] of chosen.entries()) {
    if (parts.length >= DOCUMENT_LIMITS.parts) {
      const rest = rangesOf(chosen.slice(index));
      notes.push(`Only ${DOCUMENT_LIMITS.parts} ${unit}s are read at once; read on with pages "${rest}".`);
      break;
    }
    const { label, text, isCut = false } = await read(number);
    parts.push({ label, text: startOf(text, room) });
    room -= text.length;
    if (room >= 0 && !isCut) continue;
    const others = chosen.slice(index + 1);
    if (!isCut) notes.push(`${label} was cut, because the text is too long to be read at once.`);
    if (others.length > 0)
      notes.push(
        `Not read, because the text is too long: ${unit}s ${namesOf(others, list)}. Their pages are "${rangesOf(others)}".`,
      );
    break;
  }
  return { unit, count, parts, notes };
}

/** Returns numbers, which must be in rising order, as a value for `pages`, such as `3-7, 9`. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range?.[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}

/** The names of parts that are known by names, otherwise their numbers. */
function namesOf(numbers: readonly number[], { names }: PartList): string {
  if (names === undefined) return rangesOf(numbers);
  const shown = numbers.slice(0, NAMED_PARTS).map((number) => JSON.stringify(names[number - 1] ?? ''));
  return [...shown, ...(numbers.length > NAMED_PARTS ? ['…'] : [])].join(', ');
}

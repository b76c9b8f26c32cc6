import { startOf } from '#lib/base/cut-text.ts';
import type { DocumentPart, DocumentText } from '#lib/tools/capabilities/documents.ts';
import { chosenParts, type PartList } from '#lib/tools/documents/chosen-parts.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';

/**
 * Reads the chosen parts of a document, as many as the limits allow; a note says how to get the rest. `read` reads the part
 * with a number from 1. Rejects with `UnreadableDocument` if there are no such parts.
 */
export async function readParts(
  list: PartList,
  pages: string | undefined,
  read: (number: number) => DocumentPart | Promise<DocumentPart>,
): Promise<DocumentText> {
  const { unit, count } = list;
  const chosen = chosenParts(list, pages);
  const parts: DocumentPart[] = [];
  const notes: string[] = [];
  let room = DOCUMENT_LIMITS.text;
  for (const number of chosen) {
    if (parts.length >= DOCUMENT_LIMITS.parts) {
      notes.push(`Only ${DOCUMENT_LIMITS.parts} ${unit}s are read at once; read on with pages "${number}-".`);
      break;
    }
    const { label, text } = await read(number);
    parts.push({ label, text: startOf(text, room) });
    room -= text.length;
    if (room >= 0) continue;
    const rest = number < count ? ` The next ones are pages "${number + 1}-".` : '';
    notes.push(`${label} was cut, because the text is too long to be read at once.${rest}`);
    break;
  }
  return { unit, count, parts, notes };
}

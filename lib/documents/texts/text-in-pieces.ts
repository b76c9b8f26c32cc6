import { startOf } from '#lib/base/cut-text.ts';
import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';

/**
 * Reads a document that is a single text without pages. A text longer than `DOCUMENT_LIMITS.text` is read in pieces: `pages` is
 * the number of one; by default, and if it is no number, the first. A shorter text is returned whole. A note says that there
 * are no pages if others were asked for. `read`: returns the text, or a beginning of it that is longer than `length`
 * characters. Rejects with `UnreadableDocument` if a text in several pieces has no such piece.
 */
export async function textInPieces(
  pages: string | undefined,
  read: (length: number) => string | Promise<string>,
): Promise<DocumentText> {
  const asked = pages?.trim() ?? '';
  const number = /^[1-9]\d{0,2}$/.test(asked) ? Number(asked) : 1;
  const text = await read(number * DOCUMENT_LIMITS.text);
  const pieces = piecesOf(text, number + 1);
  const isOne = pieces.length === 1;
  const piece = isOne ? pieces[0] : pieces[number - 1];
  if (piece === undefined)
    throw new UnreadableDocument('no-such-part', `There is no part ${number}: the document has ${pieces.length}.`);
  const notes: string[] = [];
  if (isOne ? asked !== '' && asked !== '1' : asked !== '' && asked !== `${number}`)
    notes.push('The document is one text, without pages that could be asked for.');
  if (pieces.length > number)
    notes.push(`The text is cut here, because it is too long to be read at once; read on with pages "${number + 1}".`);
  return { unit: 'text', count: 1, parts: [{ label: 'Text', text: piece }], notes };
}

/** The first pieces of a text, at least one, each as long as is read at once. */
function piecesOf(text: string, most: number): string[] {
  const pieces: string[] = [];
  let at = 0;
  do {
    const piece = startOf(text.slice(at, at + DOCUMENT_LIMITS.text + 1), DOCUMENT_LIMITS.text);
    pieces.push(piece);
    at += piece.length;
  } while (at < text.length && pieces.length < most);
  return pieces;
}

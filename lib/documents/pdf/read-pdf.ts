import { getDocumentProxy } from 'unpdf';
import { startOf } from '#lib/base/cut-text.ts';
import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { rangesOf, readParts } from '../read-parts.ts';
import { pageItems } from './page-items.ts';
import { pageText } from './page-text.ts';

/**
 * Reads the pages of a PDF, and text in columns column by column. Its scripts and actions do nothing, and nothing is loaded.
 * `pages`: the numbers of the pages, such as `3-7, 9`; all if undefined. Rejects with `UnreadableDocument` if there are no
 * such pages, or the file cannot be read. Must run in a thread that `limitBlocks` has prepared.
 */
export async function readPdf(data: Uint8Array, pages?: string): Promise<DocumentText> {
  try {
    const pdf = await getDocumentProxy(data, { verbosity: 0 });
    const words = new Set<string>();
    const empty: number[] = [];
    const cut: string[] = [];
    const damaged: number[] = [];
    let fault: unknown;
    const read = await readParts({ unit: 'page', count: pdf.numPages }, pages, async (number) => {
      const found = await pdf
        .getPage(number)
        .then(pageItems)
        .catch((error: unknown) => {
          fault ??= error;
          damaged.push(number);
        });
      if (found === undefined) return { label: `Page ${number}`, text: '' };
      const { items, aside, isCut } = found;
      const text = [pageText(items, words), aside].filter((part) => part !== '').join('\n\n');
      if (text === '') empty.push(number);
      if (isCut) cut.push(`Page ${number} has too much text; its end was left out.`);
      return { label: `Page ${number}`, text };
    });
    if (damaged.length > 0 && damaged.length === read.parts.length) throw fault;
    return {
      ...read,
      notes: [...read.notes, ...cut, ...withoutText(empty, read.parts.length), ...damagedPages(damaged)],
    };
  } catch (error) {
    throw error instanceof UnreadableDocument ? error : problemOf(error);
  }
}

/** Notes about pages without text, of so many that were read. */
function withoutText(pages: readonly number[], read: number): string[] {
  if (pages.length === 0) return [];
  if (pages.length === read) return ['The pages have no text; they may be scanned images.'];
  const named = `${pages.length === 1 ? 'Page' : 'Pages'} ${rangesOf(pages)}`;
  return [`${named} ${pages.length === 1 ? 'has' : 'have'} no text, maybe because of scanned images.`];
}

/** A note about pages that cannot be read, while others can. */
const damagedPages = (pages: readonly number[]): string[] =>
  pages.length === 0
    ? []
    : [`${pages.length === 1 ? 'Page' : 'Pages'} ${rangesOf(pages)} could not be read: the PDF is damaged there.`];

function problemOf(error: unknown): UnreadableDocument {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'PasswordException')
    return new UnreadableDocument(
      'encrypted',
      'The PDF is encrypted, and its text cannot be read without a password. Save a copy without one to have it read.',
    );
  // A reader that stumbles says nothing about the file.
  const reason = error instanceof TypeError || message === '' ? '' : ` (${startOf(message, 200)})`;
  return new UnreadableDocument('damaged', `The PDF is damaged and cannot be read${reason}.`);
}

import { startOf } from '#lib/base/cut-text.ts';
import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { counted } from '#lib/tools/core/counted.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { changeLimits, wasLimitReached } from '../limit-blocks.ts';
import { rangesOf, readParts } from '../read-parts.ts';
import { NOT_LOADED } from '../reading-problem.ts';
import { pageItems } from './page-items.ts';
import { pagePicture } from './page-picture.ts';
import { pageText } from './page-text.ts';
import { openPdf, type Pdf, type ReadPdfFile } from './pdf-js.ts';
import { IMAGES_NOTE, picturedPage, pictureName } from './picture-name.ts';

/** The bytes of a PDF that are searched at once. */
const SCANNED_BYTES = 1_000_000;

/**
 * Reads the pages of a PDF, and text in columns column by column. Its scripts and actions do nothing, and nothing is loaded.
 * `readFile`: reads files of PDF.js. `pages`: the numbers of the pages, such as `3-7, 9`; all if undefined; or the name of the
 * picture that shows the images of a page (see `pictureName`), which is then returned instead of text. Rejects with
 * `UnreadableDocument` if there are no such pages or no such images, or the file cannot be read. Must run in a thread that
 * `limitBlocks` has prepared.
 */
export async function readPdf(data: Uint8Array, readFile: ReadPdfFile, pages?: string): Promise<DocumentText> {
  try {
    const hasImages = mentionsImages(data);
    let isFileMissing = false;
    const pdf = await openPdf(data, readFile, () => {
      isFileMissing = true;
    });
    const pictured = picturedPage(pages);
    if (pictured !== undefined)
      return await readPicture(pdf, pictured).finally(() => {
        if (isFileMissing) throw new UnreadableDocument(NOT_LOADED.problem, NOT_LOADED.message);
      });
    if (/\.(?:png|jpe?g|gif|webp)\b/i.test(pages ?? ''))
      throw new UnreadableDocument('no-such-part', `There is no image ${JSON.stringify(pages)}. ${HOW_TO_SEE}`);
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
      notes: [
        ...read.notes,
        ...cut,
        ...(isFileMissing ? [FILE_MISSING] : withoutText(empty, read.parts.length)),
        ...damagedPages(damaged),
        ...(hasImages ? [`${IMAGES_NOTE} ${HOW_TO_SEE}`] : []),
      ],
    };
  } catch (error) {
    throw error instanceof UnreadableDocument ? error : problemOf(error);
  }
}

/** Returns the picture of a page's images. Throws `UnreadableDocument` if there is no such page, or if it has none. */
async function readPicture(pdf: Pdf, number: number): Promise<DocumentText> {
  const { numPages: count } = pdf;
  if (number < 1 || number > count)
    throw new UnreadableDocument('no-such-part', `There is no page ${number}: the PDF has ${counted(count, 'page')}.`);
  changeLimits({ block: DOCUMENT_LIMITS.pictureBlockBytes, total: DOCUMENT_LIMITS.pictureBytes });
  const isShown = await shownGroups(pdf);
  const drawn = await pdf
    .getPage(number)
    .then((page) => pagePicture(page, pictureName(number), isShown))
    .catch((error: unknown) => {
      if (!wasLimitReached()) throw error;
    });
  if (wasLimitReached())
    throw new UnreadableDocument('too-large', `The images of page ${number} take too much memory to be shown.`);
  if (drawn === undefined)
    throw new UnreadableDocument(
      'no-such-part',
      `Page ${number} has no images that can be shown. Others may have some.`,
    );
  return { unit: 'text', count: 1, parts: [], ...drawn };
}

/** Returns a function that checks whether a group of optional content, as PDF.js has it, is shown. */
async function shownGroups(pdf: Pdf): Promise<(group: unknown) => boolean> {
  const config = await pdf.getOptionalContentConfig().catch(() => undefined);
  return (group) => config?.isVisible(group as Parameters<typeof config.isVisible>[0]) ?? true;
}

/** Checks whether a PDF may have images. Their descriptions are never packed. */
function mentionsImages(data: Uint8Array): boolean {
  const decoder = new TextDecoder('latin1');
  for (let at = 0; at < data.byteLength; at += SCANNED_BYTES)
    if (/\/Subtype\s*\/Image\b/.test(decoder.decode(data.subarray(at, at + SCANNED_BYTES + 40)))) return true;
  return false;
}

const HOW_TO_SEE = `To see those of a page, read the document with "page-N.png" as "pages", one page at a time.`;

const FILE_MISSING =
  'Some of the text could not be read, because a file that its fonts need could not be loaded. Read the document again later.';

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

import type { DocumentRequest, DocumentText } from '#lib/tools/capabilities/documents.ts';
import { FORMAT_NAMES } from '#lib/tools/documents/document-type.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { namedImage, refuseMissingImage, withImageNames } from './inner-images.ts';
import { oleProblem } from './ole-problem.ts';
import type { ReadPdfFile } from './pdf/pdf-js.ts';
import { withoutUnseenCharacters } from './without-unseen.ts';
import { PackedDocument } from './zip/packed-document.ts';

/** A format of documents that are ZIP files. */
type PackedFormat = Exclude<DocumentRequest['format'], 'pdf' | 'rtf' | 'ole'>;

/**
 * Reads a document of any format, or the image in it that `pages` of the request names, and leaves out invisible characters.
 * Rejects with `UnreadableDocument` if it cannot be read. If it is damaged, other errors may come from the code that reads it.
 */
export async function readDocument(request: DocumentRequest, readPdfFile: ReadPdfFile): Promise<DocumentText> {
  return withoutUnseenCharacters(await readFormat(request, readPdfFile));
}

async function readFormat({ data, format, pages }: DocumentRequest, readPdfFile: ReadPdfFile): Promise<DocumentText> {
  if (data.byteLength === 0)
    throw new UnreadableDocument('empty', `The file is empty, so it is not ${FORMAT_NAMES[format]}.`);
  switch (format) {
    case 'pdf':
      return (await import('./pdf/read-pdf.ts')).readPdf(data, readPdfFile, pages);
    case 'rtf':
      return withNote(await (await import('./texts/read-rtf.ts')).readRtf(data, pages));
    case 'ole':
      throw oleProblem(data);
    default:
      return readPacked(await PackedDocument.open(data), format, pages);
  }
}

/** Reads a document that is a ZIP file, or the image in it that `pages` names. */
async function readPacked(
  packed: PackedDocument,
  format: PackedFormat,
  pages: string | undefined,
): Promise<DocumentText> {
  const image = namedImage(packed, pages);
  // A sheet may have such a name.
  if (image === undefined && format !== 'xlsx' && format !== 'ods') refuseMissingImage(packed, pages);
  if (image !== undefined) return { unit: 'text', count: 1, parts: [], notes: [], image };
  return withImageNames(packed, withNote(await readPackedText(packed, format, pages)));
}

async function readPackedText(
  packed: PackedDocument,
  format: PackedFormat,
  pages: string | undefined,
): Promise<DocumentText> {
  switch (format) {
    case 'docx':
      return (await import('./texts/read-docx.ts')).readDocx(packed, pages);
    case 'xlsx':
      return (await import('./sheets/read-xlsx.ts')).readXlsx(packed, pages);
    case 'pptx':
      return (await import('./slides/read-pptx.ts')).readPptx(packed, pages);
    case 'epub':
      return (await import('./texts/read-epub.ts')).readEpub(packed, pages);
  }
  refuseEncrypted(packed);
  switch (format) {
    case 'odt':
      return (await import('./texts/read-odt.ts')).readOdt(packed, pages);
    case 'ods':
      return (await import('./sheets/read-ods.ts')).readOds(packed, pages);
    case 'odp':
      return (await import('./slides/read-odp.ts')).readOdp(packed, pages);
  }
}

/** Throws `UnreadableDocument` for an OpenDocument file whose parts are encrypted, which its manifest says. */
function refuseEncrypted(packed: PackedDocument): void {
  const manifest = 'META-INF/manifest.xml';
  const content = packed.has(manifest) ? packed.bytes(manifest) : undefined;
  if (content !== undefined && new TextDecoder().decode(content).includes('encryption-data'))
    throw new UnreadableDocument(
      'encrypted',
      'The document is encrypted. Save a copy without a password to have it read.',
    );
}

/** Adds a note to a document without any text. */
function withNote(read: DocumentText): DocumentText {
  const isEmpty = read.parts.every(({ text }) => text.trim() === '');
  return isEmpty ? { ...read, notes: [...read.notes, 'The document has no text; it may consist of images.'] } : read;
}

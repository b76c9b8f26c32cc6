import type { DocumentImage, DocumentText } from '#lib/tools/capabilities/documents.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import type { PackedDocument } from './zip/packed-document.ts';

/** The types of images that models see, by the ends of their names. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
]);

const typeOf = (name: string): string | undefined => TYPES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The paths of the images in a document, by their names, without thumbnails of the document. */
function imagesIn(packed: PackedDocument): ReadonlyMap<string, string> {
  const paths = packed.names.filter((path) => typeOf(path) !== undefined && !/^(?:Thumbnails|docProps)\//.test(path));
  return new Map(paths.map((path) => [nameOf(path), path]));
}

/**
 * The image in a document that `pages` names; undefined if it names none. Throws `UnreadableDocument` if it is larger than
 * `DOCUMENT_LIMITS.imageBytes`.
 */
export function namedImage(packed: PackedDocument, pages: string | undefined): DocumentImage | undefined {
  const path = imagesIn(packed).get(pages?.trim() ?? '');
  const mediaType = path === undefined ? undefined : typeOf(path);
  if (path === undefined || mediaType === undefined) return undefined;
  const data = packed.bytes(path);
  if (data === undefined || data.byteLength > DOCUMENT_LIMITS.imageBytes)
    throw new UnreadableDocument(
      'too-large',
      `The image has more than ${DOCUMENT_LIMITS.imageBytes / 1_000_000} MB, so it is not shown.`,
    );
  return { name: nameOf(path), mediaType, data };
}

/** Adds a note with the names of the images in a document, if there are some. */
export function withImageNames(packed: PackedDocument, read: DocumentText): DocumentText {
  const names = [...imagesIn(packed).keys()];
  if (names.length === 0) return read;
  const more = names.length > DOCUMENT_LIMITS.imageNames ? ', …' : '';
  const listed = `${names.slice(0, DOCUMENT_LIMITS.imageNames).join(', ')}${more}`;
  return {
    ...read,
    notes: [...read.notes, `Images inside: ${listed}. To see one, read the document with its name as "pages".`],
  };
}

import type { DocumentImage, DocumentText } from '#lib/tools/capabilities/documents.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { imageType } from '#lib/tools/web/body-text.ts';
import type { PackedDocument } from './zip/packed-document.ts';

/** The ends of names of images that models see. */
const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The paths of the images in a document, by their names, without thumbnails of the document. */
function imagesIn(packed: PackedDocument): ReadonlyMap<string, string> {
  const paths = packed.names.filter((path) => IMAGE_NAME.test(path) && !/^(?:Thumbnails|docProps)\//.test(path));
  return new Map(paths.map((path) => [nameOf(path), path]));
}

/**
 * Finds an image inside a packed document (a ZIP file, such as a .docx) by its file name, without folders and ignoring case.
 * `pages`: the part of the document that the model asks for, which can be the name of an image, such as `image1.png`, instead
 * of numbers of pages. Undefined if no image has that name. Throws `UnreadableDocument` if the image is larger than
 * `DOCUMENT_LIMITS.imageBytes`, or is not a PNG, JPEG, GIF, or WebP image.
 */
export function namedImage(packed: PackedDocument, pages: string | undefined): DocumentImage | undefined {
  const asked = pages?.trim().toLowerCase();
  const [name, path] = [...imagesIn(packed)].find(([one]) => one.toLowerCase() === asked) ?? [];
  if (name === undefined || path === undefined) return undefined;
  const data = packed.bytes(path);
  if (data === undefined || data.byteLength > DOCUMENT_LIMITS.imageBytes)
    throw new UnreadableDocument(
      'too-large',
      `The image has more than ${DOCUMENT_LIMITS.imageBytes / 1_000_000} MB, so it is not shown.`,
    );
  const mediaType = imageType(data);
  // A model server would refuse it, and every later request with it.
  if (mediaType === undefined)
    throw new UnreadableDocument(
      'damaged',
      `The image ${name} is damaged or empty: it is no PNG, JPEG, GIF, or WebP image, so it is not shown.`,
    );
  return { name, mediaType, data };
}

/**
 * Throws `UnreadableDocument`, with the names of the images in the document, if `pages` looks like the file name of an
 * image. Must only be called when `namedImage` has found none.
 */
export function refuseMissingImage(packed: PackedDocument, pages: string | undefined): void {
  if (pages === undefined || !IMAGE_NAME.test(pages.trim())) return;
  const names = listedNames(packed);
  throw new UnreadableDocument(
    'no-such-part',
    `There is no image ${JSON.stringify(pages)}: the document has ${names === '' ? 'no images' : names}.`,
  );
}

/** Returns `read`, the text of a document, with a note that names the images in it; unchanged if there are none. */
export function withImageNames(packed: PackedDocument, read: DocumentText): DocumentText {
  const names = listedNames(packed);
  if (names === '') return read;
  return {
    ...read,
    notes: [...read.notes, `Images inside: ${names}. To see one, read the document with its name as "pages".`],
  };
}

/** The names of the images in a document, as many as are named; empty if there are none. */
function listedNames(packed: PackedDocument): string {
  const names = [...imagesIn(packed).keys()];
  const more = names.length > DOCUMENT_LIMITS.imageNames ? ', …' : '';
  return `${names.slice(0, DOCUMENT_LIMITS.imageNames).join(', ')}${more}`;
}

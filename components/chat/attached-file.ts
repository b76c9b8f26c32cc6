import type { CompleteAttachment, PendingAttachment } from '@assistant-ui/react';
import { dataUrl } from '#lib/base/data-url.ts';
import { isNotebook, NOTEBOOK_MAX_BYTES, withoutOutputs } from '#lib/tools/files/notebook.ts';
import { readText } from '#lib/vfs/text-form.ts';

/** Maximum size of an attachment, in bytes. A notebook may be larger until the outputs of its cells have been removed. */
export const ATTACHMENT_MAX_BYTES = 8_000_000;

/** A file that was not attached, and why. */
export interface RefusedFile {
  name: string;
  code: 'too-large' | 'not-text' | 'empty' | 'damaged' | 'unknown-picture' | 'unreadable';
}

/** Thrown for a file that cannot be attached; the composer turns the code into a message. */
export class AttachmentError extends Error {
  override readonly name = 'AttachmentError';
  readonly code: RefusedFile['code'];
  readonly filename: string;

  constructor(code: RefusedFile['code'], filename: string) {
    super(`${filename}: ${code}`);
    this.code = code;
    this.filename = filename;
  }
}

/** Matches the media types of pictures that all providers accept. */
const READ_BY_ALL = /^image\/(?:png|jpeg|gif|webp)$/;

/** Matches the names of pictures for which some systems report no media type. */
const PICTURE_NAME = /\.(?:heic|heif|avif|bmp|tiff?|ico)$/i;

const SVG = 'image/svg+xml';

/** The JPEG quality, from 0 to 1, of converted pictures that are too large as a PNG. */
const JPEG_QUALITY = 0.9;

/** Makes a file an attachment of a message that is not sent yet. Rejects with `AttachmentError` if that is not possible. */
export async function addFile(file: File): Promise<PendingAttachment> {
  // An SVG is text, and no provider accepts it as an image.
  const isImage = (file.type.startsWith('image/') && file.type !== SVG) || PICTURE_NAME.test(file.name);
  if (file.size > (isNotebook(file.name) ? NOTEBOOK_MAX_BYTES : ATTACHMENT_MAX_BYTES))
    throw new AttachmentError('too-large', file.name);
  // Model servers refuse an empty picture, and each later request of its thread, which contains it.
  if (isImage && file.size === 0) throw new AttachmentError('empty', file.name);
  const attached = isImage ? await readablePicture(file) : await readableText(file);
  if (attached.size > ATTACHMENT_MAX_BYTES) throw new AttachmentError('too-large', file.name);
  return {
    id: crypto.randomUUID(),
    type: isImage ? 'image' : 'document',
    name: attached.name,
    contentType: attached.type === '' || attached.type === SVG ? 'text/plain' : attached.type,
    file: attached,
    status: { type: 'requires-action', reason: 'composer-send' },
  };
}

/** Reads an attachment when its message is sent: its content becomes a `data:` URL, a text always as UTF-8. */
export async function sendFile(attachment: PendingAttachment): Promise<CompleteAttachment> {
  const { file, name: filename } = attachment;
  const isImage = attachment.type === 'image';
  const text = isImage ? undefined : await textIn(file);
  // A text goes to the model as UTF-8, whatever its encoding was.
  const bytes = text === undefined ? new Uint8Array(await file.arrayBuffer()) : new TextEncoder().encode(text);
  const url = dataUrl(file.type || 'application/octet-stream', bytes);
  return {
    ...attachment,
    status: { type: 'complete' },
    content: [
      isImage
        ? { type: 'image', image: url, filename }
        : { type: 'file', data: url, mimeType: attachment.contentType ?? 'text/plain', filename },
    ],
  };
}

/** A text file as it is, or a notebook without the outputs of its cells. Rejects with `AttachmentError` for other files. */
async function readableText(file: File): Promise<File> {
  const text = await textIn(file);
  if (text === undefined) throw new AttachmentError('not-text', file.name);
  const brief = isNotebook(file.name) ? withoutOutputs(text) : undefined;
  return brief === undefined ? file : new File([brief.text], `${file.name} (without outputs)`, { type: file.type });
}

/** A picture in a type that all providers accept, converted if need be. Rejects with `AttachmentError` if it can't be read. */
async function readablePicture(file: File): Promise<File> {
  const isReadByAll = READ_BY_ALL.test(file.type);
  try {
    // Model servers would refuse a damaged picture, and each later request of its thread, which contains it.
    const picture = await createImageBitmap(file);
    const canvas = isReadByAll ? undefined : new OffscreenCanvas(picture.width, picture.height);
    canvas?.getContext('2d')?.drawImage(picture, 0, 0);
    picture.close();
    if (canvas === undefined) return file;
    const png = await canvas.convertToBlob({ type: 'image/png' });
    const isLarge = png.size > ATTACHMENT_MAX_BYTES;
    const blob = isLarge ? await canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY }) : png;
    const name = `${file.name.replace(/\.\w+$/, '')}.${isLarge ? 'jpg' : 'png'}`;
    return new File([blob], name, { type: blob.type });
  } catch {
    throw new AttachmentError(isReadByAll ? 'damaged' : 'unknown-picture', file.name);
  }
}

/** Checks whether bytes are a PDF. Some PDFs consist of ASCII and would otherwise be taken for text. */
const isPdf = (bytes: Uint8Array): boolean => new TextDecoder().decode(bytes.subarray(0, 5)) === '%PDF-';

/** The decoded text of a file; undefined for a PDF, and if its bytes are not text. */
async function textIn(file: File): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const read = isPdf(bytes) ? undefined : await readText(bytes);
  return read?.text.includes('\0') ? undefined : read?.text;
}

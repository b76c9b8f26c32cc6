import type { CompleteAttachment, PendingAttachment } from '@assistant-ui/react';
import { dataUrl } from '#lib/base/data-url.ts';
import type { UserMessage } from '#lib/messages/message.ts';
import { textFromBytes } from '#lib/vfs/text-form.ts';
import type { Studio } from '#studio/studio.ts';
import { beginReading, documentMaxBytes } from './attached-document.ts';
import { fileOfText, placeholderOf } from './attached-text.ts';
import { ATTACHMENT_MAX_BYTES } from './attachment-limits.ts';
import { storeDocuments } from './sent-documents.ts';

/** A file that was not attached, and why. */
export interface RefusedFile {
  name: string;
  code: 'too-large' | 'document-too-large' | 'not-text' | 'empty' | 'damaged' | 'unknown-picture' | 'unreadable';
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

/**
 * Makes a file an attachment of a message that is not sent yet. A picture of a type that not all providers accept is converted;
 * the text of a document is read in the background. Rejects with `AttachmentError` if the file cannot be attached, and with the
 * browser's error if it cannot be read.
 */
export async function addFile(file: File): Promise<PendingAttachment> {
  // An SVG is text, and no provider accepts it as an image.
  const isImage = (file.type.startsWith('image/') && file.type !== SVG) || PICTURE_NAME.test(file.name);
  const maxBytes = isImage ? undefined : await documentMaxBytes(file);
  if (file.size > (maxBytes ?? ATTACHMENT_MAX_BYTES))
    throw new AttachmentError(maxBytes === undefined ? 'too-large' : 'document-too-large', file.name);
  // Model servers refuse an empty picture, and each later request of its thread, which contains it.
  if (isImage && file.size === 0) throw new AttachmentError('empty', file.name);
  if (maxBytes !== undefined && (await beginReading(file))) return pending(file, 'application/octet-stream');
  const attached = isImage ? await readablePicture(file) : await readableText(file);
  // A document whose message has come back comes as its text.
  const original = isImage ? undefined : fileOfText(await attached.text());
  if (original !== undefined) return addFile(original);
  if (attached.size > ATTACHMENT_MAX_BYTES) throw new AttachmentError('too-large', file.name);
  return pending(attached, attached.type === '' || attached.type === SVG ? 'text/plain' : attached.type, isImage);
}

const pending = (file: File, contentType: string, isImage = false): PendingAttachment => ({
  id: crypto.randomUUID(),
  type: isImage ? 'image' : 'document',
  name: file.name,
  contentType,
  file,
  status: { type: 'requires-action', reason: 'composer-send' },
});

/**
 * Reads an attachment when its message is sent: its content becomes a `data:` URL, a text always as UTF-8. A document is not
 * waited for: its content is a placeholder (`markOf`), which `sendWithFiles` replaces with its text.
 */
export async function completeAttachment(attachment: PendingAttachment): Promise<CompleteAttachment> {
  const { file, name: filename } = attachment;
  const isImage = attachment.type === 'image';
  const mark = isImage ? undefined : placeholderOf(file);
  const text = isImage ? undefined : (mark ?? (await textIn(file)));
  // A text goes to the model as UTF-8, whatever its encoding was.
  const bytes = text === undefined ? new Uint8Array(await file.arrayBuffer()) : new TextEncoder().encode(text);
  const mediaType = mark === undefined ? file.type || 'application/octet-stream' : 'text/plain';
  const url = dataUrl(mediaType, bytes);
  return {
    ...attachment,
    status: { type: 'complete' },
    content: [
      isImage
        ? { type: 'image', image: url, filename }
        : {
            type: 'file',
            data: url,
            mimeType: mark === undefined ? (attachment.contentType ?? 'text/plain') : mediaType,
            filename,
          },
    ],
  };
}

/**
 * Sends a message in the open thread, or in a new one, once `storeDocuments` has read its documents and stored them in the
 * workspace. `attachments`: one for each file of the message, in the same order.
 */
export async function sendWithFiles(
  message: UserMessage,
  attachments: readonly Pick<CompleteAttachment, 'file'>[],
  { threads, workspaces }: Pick<Studio, 'threads' | 'workspaces'>,
): Promise<void> {
  const files = attachments.map(({ file }) => file);
  await threads.send(message, (workspaceId, sent) =>
    storeDocuments(sent, files, async () => (await workspaces.open(workspaceId)).fileSystem),
  );
}

/** A text file as it is. Rejects with `AttachmentError` for other files. */
async function readableText(file: File): Promise<File> {
  if ((await textIn(file)) === undefined) throw new AttachmentError('not-text', file.name);
  return file;
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

/** The decoded text of a file; undefined if its bytes are not text. */
async function textIn(file: File): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const read = await textFromBytes(bytes);
  return read?.text.includes('\0') ? undefined : read?.text;
}

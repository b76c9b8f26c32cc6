import type { AttachmentAdapter, CompleteAttachment } from '@assistant-ui/react';
import { dataUrl } from '#lib/base/data-url.ts';

/** Maximum size of an attachment, in bytes. */
export const ATTACHMENT_MAX_BYTES = 8_000_000;

/** Thrown for a file that cannot be attached; the composer turns the code into a message. */
export class AttachmentError extends Error {
  override readonly name = 'AttachmentError';
  readonly code: 'too-large' | 'not-text' | 'empty';
  readonly filename: string;

  constructor(code: AttachmentError['code'], filename: string) {
    super(`${filename}: ${code}`);
    this.code = code;
    this.filename = filename;
  }
}

/** A file that was not attached, and why. */
export interface RefusedFile {
  name: string;
  code: AttachmentError['code'] | 'unreadable';
}

const SVG = 'image/svg+xml';

const textIn = async (file: File) => (await import('./attached-text.ts')).attachedText(file);

/** Images and text files, stored in the message as data: URLs. */
export const attachmentAdapter: AttachmentAdapter = {
  accept: '*',
  async add({ file }) {
    if (file.size > ATTACHMENT_MAX_BYTES) throw new AttachmentError('too-large', file.name);
    // An SVG is text, and no provider accepts it as an image.
    const isImage = file.type.startsWith('image/') && file.type !== SVG;
    // Servers refuse a picture of nothing, and with it each later request of its thread.
    if (isImage && file.size === 0) throw new AttachmentError('empty', file.name);
    if (!isImage && (await textIn(file)) === undefined) throw new AttachmentError('not-text', file.name);
    return {
      id: crypto.randomUUID(),
      type: isImage ? 'image' : 'document',
      name: file.name,
      contentType: file.type === '' || file.type === SVG ? 'text/plain' : file.type,
      file,
      status: { type: 'requires-action', reason: 'composer-send' },
    };
  },
  async send(attachment): Promise<CompleteAttachment> {
    const { file } = attachment;
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
          ? { type: 'image', image: url, filename: attachment.name }
          : { type: 'file', data: url, mimeType: attachment.contentType ?? 'text/plain', filename: attachment.name },
      ],
    };
  },
  async remove() {},
};

import type { AttachmentAdapter, CompleteAttachment } from '@assistant-ui/react';
import { dataUrl } from '#lib/base/data-url.ts';

/** Maximum size of an attachment, in bytes. */
export const ATTACHMENT_MAX_BYTES = 8_000_000;

/** Thrown for a file that cannot be attached; the composer turns the code into a message. */
export class AttachmentError extends Error {
  override readonly name = 'AttachmentError';
  readonly code: 'too-large' | 'not-text';
  readonly filename: string;

  constructor(code: 'too-large' | 'not-text', filename: string) {
    super(`${filename}: ${code}`);
    this.code = code;
    this.filename = filename;
  }
}

const SVG = 'image/svg+xml';

/** Images and text files, stored in the message as data: URLs. */
export const attachmentAdapter: AttachmentAdapter = {
  accept: '*',
  async add({ file }) {
    if (file.size > ATTACHMENT_MAX_BYTES) throw new AttachmentError('too-large', file.name);
    // An SVG is text, and no provider accepts it as an image.
    const isImage = file.type.startsWith('image/') && file.type !== SVG;
    if (!isImage && !(await isText(file))) throw new AttachmentError('not-text', file.name);
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
    const url = dataUrl(file.type || 'application/octet-stream', new Uint8Array(await file.arrayBuffer()));
    const isImage = attachment.type === 'image';
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

const isPdf = (bytes: Uint8Array): boolean => new TextDecoder().decode(bytes.subarray(0, 5)) === '%PDF-';

/** Whether the first part of the file is UTF-8 without NUL. */
async function isText(file: File): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, 65_536).arrayBuffer());
  if (bytes.includes(0) || isPdf(bytes)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

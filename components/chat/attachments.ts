import type { AttachmentAdapter } from '@assistant-ui/react';
import { SerialQueue } from '#lib/base/serial-queue.ts';

/** Loads the code that attaches and sends files. It is there once a file is attached, even if the server is not. */
export const loadFileCode = () => import('./attached-file.ts');

const adding = new SerialQueue();

/**
 * The adapter with which assistant-ui attaches files: images and text files, which a sent message contains as `data:` URLs.
 * `add` rejects with `AttachmentError` for other files.
 */
export const attachmentAdapter: AttachmentAdapter = {
  accept: '*',
  // One after the other, so that they stay in their order.
  add: ({ file }) => adding.run(async () => (await loadFileCode()).addFile(file)),
  send: async (attachment) => (await loadFileCode()).sendFile(attachment),
  async remove() {},
};

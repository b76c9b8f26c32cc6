import type { AttachmentAdapter } from '@assistant-ui/react';
import { SerialQueue } from '#lib/base/serial-queue.ts';

/**
 * Loads the code that attaches and sends files. The first attached file loads it, so sending the file needs no other
 * request.
 */
export const loadFileCode = () => import('./attached-file.ts');

const adding = new SerialQueue();

/**
 * The adapter with which assistant-ui attaches files: pictures, texts, and documents, which a sent message contains as
 * `data:` URLs. `add` rejects with `AttachmentError` for a file that cannot be attached.
 */
export const attachmentAdapter: AttachmentAdapter = {
  accept: '*',
  // One after the other, so that they stay in their order.
  add: ({ file }) => adding.run(async () => (await loadFileCode()).addFile(file)),
  send: async (attachment) => (await loadFileCode()).completeAttachment(attachment),
  async remove() {},
};

import type { AttachmentAdapter } from '@assistant-ui/react';

const load = () => import('./attached-file.ts');

/**
 * The adapter with which assistant-ui attaches files: images and text files, which a sent message contains as `data:` URLs.
 * `add` rejects with `AttachmentError` for other files.
 */
export const attachmentAdapter: AttachmentAdapter = {
  accept: '*',
  add: async ({ file }) => (await load()).addFile(file),
  send: async (attachment) => (await load()).sendFile(attachment),
  async remove() {},
};

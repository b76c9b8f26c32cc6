import type { AttachmentAdapter } from '@assistant-ui/react';

const load = () => import('./attached-file.ts');

/** Images and text files, stored in the message as data: URLs. Rejects with `AttachmentError` for other files. */
export const attachmentAdapter: AttachmentAdapter = {
  accept: '*',
  add: async ({ file }) => (await load()).addFile(file),
  send: async (attachment) => (await load()).sendFile(attachment),
  async remove() {},
};

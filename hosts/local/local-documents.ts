import type { Documents } from '#lib/tools/capabilities/documents.ts';

/** Reads documents on the command line, each on a thread of its own. The code is loaded with the first document. */
export const localDocuments: Documents = {
  async open(request, options) {
    const [{ DocumentReader }, { startReader }] = await Promise.all([
      import('#lib/documents/document-reader.ts'),
      import('./start-reader.ts'),
    ]);
    return new DocumentReader(startReader).open(request, options);
  },
};

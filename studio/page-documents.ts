import { DocumentReader, startDocumentsWorker } from '#lib/documents/document-reader.ts';
import type { Documents } from '#lib/tools/capabilities/documents.ts';

/** Reads documents in the page, each in a worker of its own. */
export const pageDocuments: Documents = new DocumentReader(startDocumentsWorker);

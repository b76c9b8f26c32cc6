import { DocumentReader, startDocumentsWorker } from '#lib/documents/document-reader.ts';
import type { Documents } from '#lib/tools/capabilities/documents.ts';

/** The page's reader of documents, such as PDFs, as a capability of tools. Reads each document in a worker of its own. */
export const pageDocuments: Documents = new DocumentReader(startDocumentsWorker);

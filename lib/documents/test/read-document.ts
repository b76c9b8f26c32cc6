import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { DocumentRequest, DocumentText } from '#lib/tools/capabilities/documents.ts';
import type { ReadPdfFile } from '../pdf/pdf-js.ts';
import { readDocument as read } from '../read-document.ts';

/** Reads files of PDF.js from its package. */
export const readPdfFile: ReadPdfFile = async (name) =>
  new Uint8Array(await readFile(fileURLToPath(import.meta.resolve(`pdfjs-dist/${name}`))));

/** Reads a document in this thread. */
export const readDocument = (request: DocumentRequest): Promise<DocumentText> => read(request, readPdfFile);

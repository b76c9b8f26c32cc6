import { messageOf } from '#lib/base/message-of.ts';
import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { DocumentFailure } from '#lib/tools/documents/document-failure.ts';
import {
  type DocumentFormat,
  documentFormat,
  FORMAT_NAMES,
  mayBeDocument,
} from '#lib/tools/documents/document-type.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import type { DocumentProblem } from '#lib/tools/documents/unreadable-document.ts';
import { isNotebook, NOTEBOOK_MAX_BYTES } from '#lib/tools/files/notebook.ts';
import { notebookText } from '#lib/tools/files/notebook-text.ts';
import { textFromBytes } from '#lib/vfs/text-form.ts';
import { pageDocuments } from '#studio/page-documents.ts';

/**
 * The outcome of reading an attached document: its text, or the reason why it could not be read. `name`: the kind of
 * document with its article, such as `a PDF`. `message`: the text of the error.
 */
export type Reading = { name: string } & (
  | { type: 'read'; document: DocumentText }
  | { type: 'failed'; problem: DocumentProblem; message: string }
);

/** The number of bytes at the beginning of a file by which a document is recognized. */
const BEGIN_BYTES = 16;

const readings = new WeakMap<File, Promise<Reading>>();

/**
 * Returns a promise of the outcome of reading an attached document, which never rejects; undefined for a file that
 * `beginReading` has not found to be a document.
 */
export const readingOf = (file: File): Promise<Reading> | undefined => readings.get(file);

/**
 * Returns the maximum size, in bytes, of an attached file that may be a document by its name or its first bytes; undefined
 * for other files.
 */
export async function documentMaxBytes(file: File): Promise<number | undefined> {
  if (isNotebook(file.name)) return NOTEBOOK_MAX_BYTES;
  const begin = new Uint8Array(await file.slice(0, BEGIN_BYTES).arrayBuffer());
  return mayBeDocument(begin, file.name) ? DOCUMENT_LIMITS.bytes : undefined;
}

/**
 * Begins to read the text of a document and returns true without waiting for the text (see `readingOf`); returns false if
 * the file is no document.
 */
export async function beginReading(file: File): Promise<boolean> {
  if (readings.has(file)) return true;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const notebook = isNotebook(file.name) ? await notebookIn(bytes) : undefined;
  if (notebook !== undefined) {
    readings.set(file, Promise.resolve({ type: 'read', name: 'a notebook', document: notebook }));
    return true;
  }
  const format = documentFormat(bytes, file.name);
  if (format === undefined) return false;
  readings.set(file, read(bytes, format));
  return true;
}

async function notebookIn(bytes: Uint8Array): Promise<DocumentText | undefined> {
  const text = (await textFromBytes(bytes))?.text;
  return text === undefined ? undefined : notebookText(text);
}

async function read(data: Uint8Array, format: DocumentFormat): Promise<Reading> {
  const name = FORMAT_NAMES[format];
  try {
    const { signal: abortSignal } = new AbortController();
    return { type: 'read', name, document: await pageDocuments.open({ data, format }, { abortSignal }) };
  } catch (error) {
    return { type: 'failed', name, problem: problemOf(error), message: messageOf(error) };
  }
}

function problemOf(error: unknown): DocumentProblem {
  if (error instanceof DocumentFailure) return error.problem;
  return error instanceof ToolFailure && error.code === 'timed-out' ? 'too-slow' : 'damaged';
}

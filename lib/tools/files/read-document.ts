import type { DocumentImage, Documents, DocumentText } from '../capabilities/documents.ts';
import { counted } from '../core/counted.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { textOfDocument } from '../documents/document-text.ts';
import { documentFormat, FORMAT_NAMES } from '../documents/document-type.ts';
import { UnreadableDocument } from '../documents/unreadable-document.ts';
import { isNotebook } from './notebook.ts';
import { notebookText } from './notebook-text.ts';
import { textOf } from './text-file.ts';

/** The value of the argument `pages` with which `read_file` returns a notebook's JSON, without the outputs of its cells. */
export const NOTEBOOK_JSON = 'json';

/**
 * The value of the argument `pages` with which `read_file` returns the file itself as text, without converting it: an RTF file
 * with its control words, a notebook as JSON with its outputs.
 */
export const SOURCE = 'source';

interface ReadOptions {
  path: string;
  pages: string | undefined;
  documents: Documents | undefined;
  abortSignal: AbortSignal;
}

const RTF_EDITS = `edit_file and write_file change its source, with control words, which read_file returns with pages "${SOURCE}".`;

/**
 * The text of a document for a model. `about`: what the document is, such as “a PDF of 3 pages”. `notes`: sentences for the
 * model.
 */
export interface ReadDocument {
  text: string;
  about: string;
  notes: readonly string[];
  /** The image of the document that the argument `pages` named; absent if it named none. */
  image?: DocumentImage | undefined;
}

/**
 * Reads a document or a notebook as text. Undefined for a file that the caller has to read as plain text: one that is neither
 * of these, or one of which `pages` asks for the source (`SOURCE`, or `NOTEBOOK_JSON` for a notebook). Rejects with
 * `ToolFailure` if it cannot be read, as without `documents`, the host's reader of documents, or if it has no such pages.
 */
export async function readDocument(
  bytes: Uint8Array,
  { path, pages, documents, abortSignal }: ReadOptions,
): Promise<ReadDocument | undefined> {
  if (pages === SOURCE) return undefined;
  if (isNotebook(path)) return pages === NOTEBOOK_JSON ? undefined : readNotebook(bytes, path, pages);
  const format = documentFormat(bytes, path);
  if (format === undefined) return undefined;
  const name = FORMAT_NAMES[format];
  if (documents === undefined)
    throw new ToolFailure(
      'failed',
      `${path} is ${name} (${counted(bytes.byteLength, 'byte')}), which cannot be read here.`,
    );
  const read = await documents.open({ data: bytes, format, pages }, { abortSignal }).catch((error: unknown) => {
    if (!(error instanceof ToolFailure)) throw error;
    throw new ToolFailure(error.code, `${path} is ${name}. ${error.message}`);
  });
  const document = shown(read, name);
  return format === 'rtf' ? { ...document, notes: [...document.notes, RTF_EDITS] } : document;
}

async function readNotebook(
  bytes: Uint8Array,
  path: string,
  pages: string | undefined,
): Promise<ReadDocument | undefined> {
  const { text } = await textOf(bytes, path);
  try {
    const read = notebookText(text, pages);
    if (read === undefined) return undefined;
    const { text: cells, about } = shown(read, 'a notebook');
    const how = `Change a cell with edit_file: "find" is text of its source, and outputs are kept. With pages "${NOTEBOOK_JSON}", you get the JSON, to add or remove cells.`;
    return { text: cells, about, notes: [how] };
  } catch (error) {
    if (error instanceof UnreadableDocument) throw new ToolFailure('failed', `${path} is a notebook. ${error.message}`);
    throw error;
  }
}

function shown({ unit, count, parts, notes, image }: DocumentText, name: string): ReadDocument {
  const size = unit === 'text' ? '' : ` of ${counted(count, unit)}`;
  return { text: textOfDocument(parts), about: `${name}${size}`, notes, image };
}

import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { bytesFromText, type TextForm, TextFormError, textFromBytes } from '#lib/vfs/text-form.ts';
import { counted } from '../core/counted.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { documentFormat, FORMAT_NAMES } from '../documents/document-type.ts';
import { isNotebook, NOTEBOOK_MAX_BYTES } from './notebook.ts';
import { TEXT_MAX_BYTES } from './text-limit.ts';

/**
 * Reads a file as text, with its line ends as they are. `form`: its encoding, and whether it has a byte order mark; `inForm`
 * encodes a new text in the same way. `size`: in bytes. Rejects with `FileSystemError`, EFBIG for more than `maxBytes`, or with
 * `ToolFailure` if the file is not text, or a document such as a PDF.
 */
export async function readTextFile(
  fileSystem: FileSystemReader,
  path: string,
  maxBytes = isNotebook(path) ? NOTEBOOK_MAX_BYTES : TEXT_MAX_BYTES,
): Promise<{ text: string; form: TextForm; size: number }> {
  const bytes = await fileSystem.readFile(path, { maxBytes });
  const format = documentFormat(bytes, path);
  // An RTF file is text, too, with its control words.
  if (format !== undefined && format !== 'rtf')
    throw new ToolFailure(
      'failed',
      `${path} is ${FORMAT_NAMES[format]}, which cannot be changed as text. Its text can be read with read_file; write changes to another file.`,
    );
  return { ...(await textOf(bytes, path)), size: bytes.byteLength };
}

/** Decodes the bytes of a file as text, and finds its encoding. Rejects with `ToolFailure` if the file is not text. */
export async function textOf(bytes: Uint8Array, path: string): Promise<{ text: string; form: TextForm }> {
  const read = await textFromBytes(bytes);
  if (read === undefined)
    throw new ToolFailure('failed', `${path} is not text (${counted(bytes.byteLength, 'byte')}).`);
  return read;
}

/** Encodes a text in the form of the file that it replaces. Rejects with `ToolFailure` if the encoding lacks a character. */
export async function inForm(text: string, form: TextForm): Promise<Uint8Array> {
  try {
    return await bytesFromText(text, form);
  } catch (error) {
    if (error instanceof TextFormError) throw new ToolFailure('failed', `Not written. ${error.message}`);
    throw error;
  }
}

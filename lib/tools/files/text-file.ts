import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { readText, type TextForm, TextFormError, writeText } from '#lib/vfs/text-form.ts';
import { counted } from '../core/counted.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { TEXT_MAX_BYTES } from './text-limit.ts';

/**
 * Reads a file as text. `form`: its encoding, with which `inForm` writes a new text. `size`: in bytes. Rejects with
 * `FileSystemError`, EFBIG for more than `maxBytes`, or with `ToolFailure` if the file is not text.
 */
export async function readTextFile(
  fileSystem: FileSystemReader,
  path: string,
  maxBytes = TEXT_MAX_BYTES,
): Promise<{ text: string; form: TextForm; size: number; bytes: Uint8Array }> {
  const bytes = await fileSystem.readFile(path, { maxBytes });
  const read = await readText(bytes);
  if (read === undefined)
    throw new ToolFailure('failed', `${path} is not text (${counted(bytes.byteLength, 'byte')}).`);
  return { ...read, size: bytes.byteLength, bytes };
}

/** Encodes a text in the form of the file that it replaces. Rejects with `ToolFailure` if the encoding lacks a character. */
export async function inForm(text: string, form: TextForm): Promise<Uint8Array> {
  try {
    return await writeText(text, form);
  } catch (error) {
    if (error instanceof TextFormError) throw new ToolFailure('failed', `Not written. ${error.message}`);
    throw error;
  }
}

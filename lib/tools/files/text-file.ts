import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import { counted } from '../core/counted.ts';
import { ToolFailure } from '../core/tool-call.ts';

/** Largest file a tool reads as text, in bytes. */
export const TEXT_MAX_BYTES = 1_000_000;

/** Reads a file as text. Rejects with `FileSystemError`, or with `ToolFailure` if it is not UTF-8 text. */
export async function readTextFile(
  fileSystem: FileSystemReader,
  path: string,
): Promise<{ text: string; size: number; bytes: Uint8Array }> {
  const bytes = await fileSystem.readFile(path, { maxBytes: TEXT_MAX_BYTES });
  const text = decodeUtf8(bytes);
  if (text === undefined)
    throw new ToolFailure('failed', `${path} is not UTF-8 text (${counted(bytes.byteLength, 'byte')}).`);
  return { text, size: bytes.byteLength, bytes };
}

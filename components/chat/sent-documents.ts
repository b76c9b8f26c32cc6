import { startOf } from '#lib/base/cut-text.ts';
import { dataUrl } from '#lib/base/data-url.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { sha256 } from '#lib/base/sha256.ts';
import type { UserMessage } from '#lib/messages/message.ts';
import { withoutUnseen } from '#lib/tools/web/body-text.ts';
import { exists } from '#lib/vfs/exists.ts';
import type { FileSystem, FileSystemTransaction } from '#lib/vfs/file-system.ts';
import { MAX_NAME_BYTES } from '#lib/vfs/paths.ts';
import { attachedText } from './attached-text.ts';
import { workspacePathOf } from './workspace-file.ts';

/** The longest name of a stored file, in bytes, without the number that keeps it apart from others. */
const NAME_BYTES = MAX_NAME_BYTES - 15;

/** The longest end of a stored file's name, such as `.docx`, in characters. */
const END_MAX = 20;

/** The folder of the workspace in which attached documents are kept. */
const ATTACHMENTS_FOLDER = '/attachments';

/**
 * Stores the attached documents of a message in the workspace, and returns the message with their texts, each followed by
 * the document's path or by the reason why it could not be stored. `files`: those of the message's file parts, in the same
 * order. `open`: returns the workspace's files. Never rejects.
 */
export async function storeDocuments(
  message: UserMessage,
  files: readonly (File | undefined)[],
  open: () => Promise<FileSystem>,
): Promise<UserMessage> {
  let index = 0;
  const parts: UserMessage['parts'] = [];
  for (const part of message.parts) {
    const file = part.type === 'file' ? files[index++] : undefined;
    const attached = file === undefined ? undefined : await attachedText(file);
    if (part.type !== 'file' || file === undefined || attached === undefined) {
      parts.push(part);
      continue;
    }
    const place = await store(file, open);
    const text = `${attached.text}\n[${place}${goOn(attached.next)}]`;
    parts.push({ ...part, url: dataUrl('text/plain', new TextEncoder().encode(text)) });
  }
  return { ...message, parts };
}

/** Stores a file, and says where it is, or why it could not be stored. */
async function store(file: File, open: () => Promise<FileSystem>): Promise<string> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const fileSystem = await open();
    const path = await fileSystem.transaction({ type: 'person' }, async (tx) => {
      const own = workspacePathOf(file);
      // It may have been changed since, and the message may belong to another workspace.
      if (own !== undefined && (await exists(tx, own)) && (await hasContent(tx, own, bytes))) return own;
      const free = await freePath(tx, file.name, bytes);
      if (!free.isThere) tx.writeFile(free.path, bytes);
      return free.path;
    });
    return `The file itself is ${path} in the workspace.`;
  } catch (error) {
    return `The file itself could not be stored in the workspace: ${messageOf(error)}`;
  }
}

const goOn = (next: number | undefined): string =>
  next === undefined
    ? ''
    : ` This is only the beginning of its text: read on with read_file, that path, and offset ${next}, or with the pages that you need.`;

/** A path for a file of this name: where the same content is already, or one that is free. */
async function freePath(
  tx: FileSystemTransaction,
  name: string,
  bytes: Uint8Array,
): Promise<{ path: string; isThere: boolean }> {
  // The path stands in a notice in brackets.
  const seen = withoutUnseen(name.replace(/[/\\:\p{Cc}]/gu, '_')).text;
  const safe = seen.replaceAll('[', '(').replaceAll(']', ')').replace(/^\.*$/, 'document');
  const dot = safe.lastIndexOf('.');
  const [whole, end] = dot <= 0 ? [safe, ''] : [safe.slice(0, dot), startOf(safe.slice(dot), END_MAX)];
  const stem = shortened(whole, NAME_BYTES - bytesOf(end));
  for (let number = 1; ; number++) {
    const path = `${ATTACHMENTS_FOLDER}/${stem}${number === 1 ? '' : ` (${number})`}${end}`;
    if (!(await exists(tx, path))) return { path, isThere: false };
    if (await hasContent(tx, path, bytes)) return { path, isThere: true };
  }
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/** As many characters from the beginning of a text as fit into so many bytes. */
function shortened(text: string, bytes: number): string {
  let short = text;
  while (bytesOf(short) > bytes) short = startOf(short, short.length - 1);
  return short;
}

async function hasContent(tx: FileSystemTransaction, path: string, bytes: Uint8Array): Promise<boolean> {
  const { type, size } = await tx.stat(path);
  if (type !== 'file' || size !== bytes.byteLength) return false;
  return (await sha256(await tx.readFile(path))) === (await sha256(bytes));
}

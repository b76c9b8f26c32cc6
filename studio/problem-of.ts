import { messageOf } from '#lib/base/message-of.ts';
import type { Problem } from '#lib/messages/message.ts';
import { StorageError } from '#lib/threads/thread-store.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';

/** Thrown if the server does not give the page the code that opens threads. */
export class NotLoadedError extends Error {}

/**
 * Returns the problem to show for an operation that failed, for example because this browser's storage, or a workspace,
 * refused it.
 */
export function problemOf(error: unknown): Problem {
  const detail = messageOf(error);
  if (error instanceof StorageError) return { code: `storage-${error.code}`, detail };
  if (error instanceof FileSystemError) return { code: 'files', detail };
  return { code: error instanceof NotLoadedError ? 'server-unreachable' : 'unknown', detail };
}

import { type TransferHandler, transferHandlers } from 'comlink';
import { FileSystemError, type FileSystemErrorCode } from '#lib/vfs/errors.ts';

interface Thrown {
  value: unknown;
}

interface FileSystemErrorData {
  code: FileSystemErrorCode;
  path: string;
  detail: string | undefined;
}

const THROW = 'throw';

/**
 * Lets a `FileSystemError` cross between worker and page as one, code and path included; other errors cross as Comlink
 * does it. Both sides call it once, before their first call.
 */
export function keepFileSystemErrors(): void {
  const original = transferHandlers.get(THROW) as TransferHandler<Thrown, unknown> | undefined;
  if (original === undefined || isInstalled) return;
  isInstalled = true;
  const handler: TransferHandler<Thrown, { fileSystemError: FileSystemErrorData } | { other: unknown }> = {
    canHandle: original.canHandle,
    serialize(thrown) {
      const { value } = thrown;
      if (value instanceof FileSystemError)
        return [{ fileSystemError: { code: value.code, path: value.path, detail: value.detail } }, []];
      const [other, transferables] = original.serialize(thrown);
      return [{ other }, transferables];
    },
    deserialize(serialized) {
      if (!('fileSystemError' in serialized)) return original.deserialize(serialized.other);
      const { code, path, detail } = serialized.fileSystemError;
      throw new FileSystemError(code, path, { detail });
    },
  };
  transferHandlers.set(THROW, handler);
}

let isInstalled = false;

import { type TransferHandler, transferHandlers } from 'comlink';
import { type ToolErrorCode, ToolFailure } from '#lib/tools/core/tool-call.ts';
import { ArchiveError, type ArchiveProblem } from '#lib/vfs/archive/archive-error.ts';
import { FileSystemError, type FileSystemErrorCode } from '#lib/vfs/errors.ts';

interface Thrown {
  value: unknown;
}

type Failure =
  | {
      type: 'file-system';
      code: FileSystemErrorCode;
      path: string;
      detail: string | undefined;
      paths: readonly string[];
    }
  | { type: 'tool'; code: ToolErrorCode; message: string }
  | { type: 'archive'; problem: ArchiveProblem }
  | { type: 'other'; thrown: unknown };

const THROW = 'throw';

let isInstalled = false;

/**
 * Makes Comlink preserve `FileSystemError`, `ToolFailure` and `ArchiveError`, including their codes, when they are thrown
 * between worker and page; other errors are left to Comlink. Both sides must call this before their first message.
 */
export function keepFailures(): void {
  const original = transferHandlers.get(THROW) as TransferHandler<Thrown, unknown> | undefined;
  if (original === undefined || isInstalled) return;
  isInstalled = true;
  const handler: TransferHandler<Thrown, Failure> = {
    canHandle: original.canHandle,
    serialize(thrown) {
      const { value } = thrown;
      if (value instanceof FileSystemError) {
        const { code, path, detail, paths } = value;
        return [{ type: 'file-system', code, path, detail, paths }, []];
      }
      if (value instanceof ToolFailure) return [{ type: 'tool', code: value.code, message: value.message }, []];
      if (value instanceof ArchiveError) return [{ type: 'archive', problem: value.problem }, []];
      const [other, transferables] = original.serialize(thrown);
      return [{ type: 'other', thrown: other }, transferables];
    },
    deserialize(failure) {
      if (failure.type === 'file-system')
        throw new FileSystemError(failure.code, failure.path, { detail: failure.detail, paths: failure.paths });
      if (failure.type === 'tool') throw new ToolFailure(failure.code, failure.message);
      if (failure.type === 'archive') throw new ArchiveError(failure.problem);
      return original.deserialize(failure.thrown);
    },
  };
  transferHandlers.set(THROW, handler);
}

import type { Diagnostics, DiagnosticsReport } from '#lib/tools/capabilities/diagnostics.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { ProtectedPaths } from '#lib/tools/permission/path-rule.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';

/**
 * The workspace whose files are checked for errors. Its id tells its files from those of other workspaces that are open in
 * the editor.
 */
export interface CheckedWorkspace {
  id: string;
  fileSystem: FileSystem;
  /**
   * Checks whether a script that is open in the editor must be ignored, because it belongs to another workspace or the user's
   * rules protect it. Absent without such rules: checks then consider all open scripts.
   */
  hides?(workspaceId: string, path: string): boolean;
}

export type CheckFiles = (workspace: CheckedWorkspace, path: string, signal: AbortSignal) => Promise<DiagnosticsReport>;

/**
 * The editor's language services, which check files for errors, as a capability of tools. Their code is loaded on first use.
 */
export class LanguageServices {
  #load: (() => Promise<CheckFiles>) | undefined;

  /** Registers the function that loads the code of the services. */
  provide(load: () => Promise<CheckFiles>): void {
    this.#load = load;
  }

  /**
   * The diagnostics of a workspace, which is opened when files are first checked. Until a function was registered with
   * `provide`, checks reject with `ToolFailure`.
   */
  diagnosticsOf(open: () => Promise<CheckedWorkspace>): Diagnostics {
    return {
      under: (paths) => this.diagnosticsOf(async () => withoutProtected(await open(), paths)),
      check: async (path, { abortSignal }) => {
        if (this.#load === undefined)
          throw new ToolFailure('failed', 'Files cannot be checked because there is no editor here.');
        const [check, workspace] = await Promise.all([this.#load(), open()]);
        return check(workspace, path, abortSignal);
      },
    };
  }
}

/**
 * Returns the workspace without the files that the user's rules protect. The result has an id of its own, which keeps it apart
 * from files that are open in the editor.
 */
async function withoutProtected(
  { id, fileSystem }: CheckedWorkspace,
  paths: ProtectedPaths,
): Promise<CheckedWorkspace> {
  const [{ guardOf }, { guardedFiles }] = await Promise.all([
    import('#lib/tools/permission/path-rules.ts'),
    import('#lib/vfs/guarded-file-system.ts'),
  ]);
  const guard = guardOf(paths);
  return {
    id: `${id}-under-rules`,
    fileSystem: guardedFiles(fileSystem, guard),
    hides(workspaceId, path) {
      if (workspaceId !== id) return true;
      try {
        return guard.refusal(fileSystem.realPath(path), 'read') !== undefined;
      } catch {
        // It is not known where the path led before.
        return true;
      }
    },
  };
}

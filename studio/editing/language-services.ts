import type { Diagnostics, DiagnosticsReport } from '#lib/tools/capabilities/diagnostics.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { OpenedWorkspace } from '../opened-workspace.ts';

export type CheckFiles = (workspace: OpenedWorkspace, path: string, signal: AbortSignal) => Promise<DiagnosticsReport>;

/** The editor's language services as a capability of tools. Their code is loaded on first use. */
export class LanguageServices {
  #load: (() => Promise<CheckFiles>) | undefined;

  /** Registers the function that loads them. */
  provide(load: () => Promise<CheckFiles>): void {
    this.#load = load;
  }

  /** The diagnostics of a workspace, which is opened when files are first checked. */
  diagnosticsOf(open: () => Promise<OpenedWorkspace>): Diagnostics {
    return {
      check: async (path, { abortSignal }) => {
        if (this.#load === undefined)
          throw new ToolFailure('failed', 'Files cannot be checked because there is no editor here.');
        const [check, workspace] = await Promise.all([this.#load(), open()]);
        return check(workspace, path, abortSignal);
      },
    };
  }
}

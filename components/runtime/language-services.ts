import type { Diagnostics, DiagnosticsReport } from '#lib/tools/capabilities/diagnostics.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';

export type CheckFiles = (workspace: OpenedWorkspace, path: string, signal: AbortSignal) => Promise<DiagnosticsReport>;

let load: (() => Promise<CheckFiles>) | undefined;

/** Registers the loader for the editor's language services. Their code is loaded on first use. */
export function provideLanguageServices(loadCheck: () => Promise<CheckFiles>): void {
  load = loadCheck;
}

/** The editor's language services as an interface for tools. */
export function createDiagnostics(open: () => Promise<OpenedWorkspace>): Diagnostics {
  return {
    async check(path, { abortSignal }) {
      if (load === undefined)
        throw new ToolFailure('failed', 'Files cannot be checked because there is no editor here.');
      const [check, workspace] = await Promise.all([load(), open()]);
      return check(workspace, path, abortSignal);
    },
  };
}

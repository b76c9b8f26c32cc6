import type { Diagnostics, DiagnosticsReport } from '#lib/tools/diagnostics.ts';
import { ToolFailure } from '#lib/tools/tool.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';

export type CheckFiles = (workspace: OpenedWorkspace, path: string, signal: AbortSignal) => Promise<DiagnosticsReport>;

let load: (() => Promise<CheckFiles>) | undefined;

/** Names where the editor's language services are to be had; their code is loaded when they are first asked. */
export function provideLanguageServices(loadCheck: () => Promise<CheckFiles>): void {
  load = loadCheck;
}

/** The editor's language services as tools ask them. */
export function createDiagnostics(open: () => Promise<OpenedWorkspace>): Diagnostics {
  return {
    async check(path, { abortSignal }) {
      if (load === undefined)
        throw new ToolFailure('failed', 'There is no editor here, so there is nothing that checks files.');
      const [check, workspace] = await Promise.all([load(), open()]);
      return check(workspace, path, abortSignal);
    },
  };
}

import { guardedFiles } from '#lib/vfs/guarded-file-system.ts';
import type { HostCapabilities } from '../capabilities/capabilities.ts';
import type { Diagnostics } from '../capabilities/diagnostics.ts';
import type { PagePreview } from '../capabilities/preview.ts';
import type { Shell } from '../capabilities/shell.ts';
import type { WorkspaceSearch } from '../capabilities/workspace-search.ts';
import { ToolFailure } from '../core/tool-call.ts';
import type { ProtectedPaths } from '../permission/path-rule.ts';
import { guardOf, protectsPaths } from '../permission/path-rules.ts';

/**
 * Limits a host's capabilities for a call by the user's rules about paths: none of them reads or writes paths that the
 * rules protect. Capabilities that cannot apply rules (without `under`) reject each use with `ToolFailure`. The sandbox is not
 * limited, because it reaches files only through inner calls.
 */
export function guardCapabilities(capabilities: HostCapabilities, paths: ProtectedPaths): HostCapabilities {
  if (!protectsPaths(paths.rules)) return capabilities;
  const { files, search, shell, preview, diagnostics } = capabilities;
  return {
    ...capabilities,
    ...(files && { files: guardedFiles(files, guardOf(paths)) }),
    ...(search && { search: search.under?.(paths) ?? NO_SEARCH }),
    ...(shell && { shell: shell.under?.(paths) ?? NO_SHELL }),
    ...(preview && { preview: preview.under?.(paths) ?? NO_PREVIEW }),
    ...(diagnostics && { diagnostics: diagnostics.under?.(paths) ?? NO_DIAGNOSTICS }),
  };
}

const refuse = (): Promise<never> =>
  Promise.reject(
    new ToolFailure('denied', 'Not run. The user’s rules protect some paths, and this tool cannot follow those rules.'),
  );

const NO_SEARCH: WorkspaceSearch = { files: refuse, text: refuse, lines: refuse };
const NO_SHELL: Shell = { run: refuse };
const NO_PREVIEW: PagePreview = { open: refuse, outline: refuse, console: refuse };
const NO_DIAGNOSTICS: Diagnostics = { check: refuse };

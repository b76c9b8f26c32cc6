import type { FileSystem } from '#lib/vfs/file-system.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { Documents } from './documents.ts';
import type { PagePreview } from './preview.ts';
import type { JavaScriptEvaluator } from './sandbox.ts';
import type { Shell } from './shell.ts';
import type { WebAccess } from './web.ts';
import type { WorkspaceSearch } from './workspace-search.ts';

/**
 * The capabilities that a host, the place where tools run, may give its tools. None of them depends on models, messages, or
 * stores.
 */
export interface ToolCapabilities {
  /** The files of the workspace. */
  files: FileSystem;
  search: WorkspaceSearch;
  shell: Shell;
  /** Runs JavaScript, in a session of one conversation. */
  sandbox: JavaScriptEvaluator;
  preview: PagePreview;
  diagnostics: Diagnostics;
  /** Requests to the web. */
  web: WebAccess;
}

/** The capabilities that no tool lists in `needs`: tools use them if the host has them, and otherwise do without them. */
export interface OptionalCapabilities {
  /** Reads documents such as PDFs. */
  documents: Documents;
}

/** The capabilities that a host gives its tools; those that it does not have are absent. */
export type HostCapabilities = Partial<ToolCapabilities & OptionalCapabilities>;

/** The name of a capability that a tool can list in `needs`. */
export type CapabilityName = keyof ToolCapabilities;

/** The names of all capabilities that a tool can list in `needs`. */
export const CAPABILITY_NAMES = ['files', 'search', 'shell', 'sandbox', 'preview', 'diagnostics', 'web'] as const;

/** The capabilities that belong to a workspace: not `sandbox`, which belongs to a conversation, and not `web`. */
export type WorkspaceCapabilities = Omit<ToolCapabilities, 'sandbox' | 'web'>;

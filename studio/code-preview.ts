import { Preview } from '#lib/sandbox/preview/preview.ts';
import type { Sandbox } from '#lib/sandbox/sandbox.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { codePage } from './code-page.ts';

/** A preview of code in an answer, which the preview pane shows in place of the workspace's page. */
export interface CodePreview {
  /** The workspace in whose pane it is shown. */
  workspaceId: string;
  preview: Preview;
  /** The file system that has only the code. */
  fileSystem: FileSystem;
}

/**
 * Opens a preview of code in an answer. Its only file is in memory, so no workspace is changed. `workspaceId`: the workspace
 * in whose pane it is to be shown. `language`: the language that the code block names, such as `tsx`.
 */
export async function openCodePreview(
  sandbox: Sandbox,
  workspaceId: string,
  code: string,
  language: string,
): Promise<CodePreview> {
  const fileSystem = new MemoryFileSystem();
  const { entry, text } = codePage(code, language);
  const data = new TextEncoder().encode(text);
  await fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile(entry, data));
  const preview = new Preview({ fileSystem, sandbox });
  preview.show(entry);
  return { workspaceId, preview, fileSystem };
}

import { FileSystemError } from '#lib/vfs/errors.ts';
import { exists } from '#lib/vfs/exists.ts';
import type { OpenedWorkspace } from '../opened-workspace.ts';

/**
 * Makes the file of a new workspace tool, or of a new prompt, a text that people insert into messages by its name. The file
 * is filled in as an example. Resolves with its path. Rejects with `FileSystemError` if it cannot be written.
 */
export async function newProjectFile(
  { fileSystem }: Pick<OpenedWorkspace, 'fileSystem'>,
  kind: 'tool' | 'prompt',
): Promise<string> {
  const { folder, stem, extension, textOf } = await KINDS[kind]();
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}_${n}`;
    const path = `${folder}/${name}${extension}`;
    try {
      await fileSystem.transaction({ type: 'person' }, async (tx) => {
        if (await exists(tx, path)) throw new FileSystemError('EEXIST', path);
        tx.writeFile(path, new TextEncoder().encode(textOf(name)));
      });
      return path;
    } catch (error) {
      if (!(error instanceof FileSystemError) || error.code !== 'EEXIST') throw error;
    }
  }
}

const KINDS = {
  async tool() {
    const [{ newWorkspaceTool }, { WORKSPACE_TOOLS_FOLDER }] = await Promise.all([
      import('#lib/sources/workspace-tools/template.ts'),
      import('#lib/sources/workspace-tools/limits.ts'),
    ]);
    return { folder: WORKSPACE_TOOLS_FOLDER, stem: 'my_tool', extension: '.js', textOf: newWorkspaceTool };
  },
  async prompt() {
    const [{ NEW_PROMPT }, { PROMPTS_FOLDER }] = await Promise.all([
      import('./prompt-file.ts'),
      import('./prompt-limits.ts'),
    ]);
    return { folder: PROMPTS_FOLDER, stem: 'my_prompt', extension: '.md', textOf: () => NEW_PROMPT };
  },
};

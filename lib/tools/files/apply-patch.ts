import * as z from 'zod';
import { exists } from '#lib/vfs/exists.ts';
import type { FileSystemTransaction } from '#lib/vfs/file-system.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from '../core/tool.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { isNotebook } from './notebook.ts';
import { refuseNoJson } from './notebook-edit.ts';
import { type FilePatch, patchAccesses, readPatch } from './patches.ts';
import { inForm, readTextFile } from './text-file.ts';

/**
 * Applies a patch to several files as a whole or not at all: a unified diff, or the form of OpenAI's Codex CLI. Fails as
 * `failed` if it cannot be read or does not fit, or with `FileSystemError`.
 */
export const applyPatch = defineTool({
  name: 'apply_patch',
  description:
    'Changes several workspace files with one patch, such as a unified diff. ' +
    'It may also have the form "*** Begin Patch", "*** Update File: path", "@@" and lines that begin with " ", "-" or "+", "*** Add File: path", "*** Delete File: path", "*** End Patch". ' +
    'The patch is applied as a whole or not at all. Returns what happened to each file.',
  toolset: 'files',
  effect: 'write',
  inputSchema: z.object({ patch: z.string().min(1, 'must not be empty').describe('The patch, as text.') }),
  needs: ['files'],
  presentation: {
    verb: 'patch',
    target: 'patch',
    files: { argument: 'patch', as: 'patch' },
    input: { as: 'diff', of: 'patch', argument: 'patch' },
  },
  aliases: ['patch'],
  examples: [
    {
      description: 'Change a line',
      input: {
        patch:
          '*** Begin Patch\n*** Update File: /docs/intro.md\n@@\n # Introduction\n-Old words.\n+New words.\n*** End Patch',
      },
      result: 'Success: /docs/intro.md changed.',
    },
  ],
  touches: ({ patch }) => patchAccesses(patch),
  async execute({ patch }, { files: fileSystem, author }) {
    const files = readPatch(patch);
    const done = await fileSystem.transaction(author, async (tx) => {
      const results: { path: string; change: string }[] = [];
      for (const file of files) results.push(await applyTo(tx, file));
      return results;
    });
    return {
      content: `Success: ${done.map(({ path, change }) => `${path} ${change}`).join(', ')}.`,
      data: { files: done },
    };
  },
});

async function applyTo(tx: FileSystemTransaction, file: FilePatch): Promise<{ path: string; change: string }> {
  const path = resolvePath(file.path);
  switch (file.type) {
    case 'delete':
      tx.rm(path);
      return { path, change: 'deleted' };
    case 'add':
      if (await exists(tx, path)) throw new ToolFailure('failed', `${path} already exists; update it instead.`);
      tx.writeFile(path, new TextEncoder().encode(file.content));
      return { path, change: 'created' };
    case 'update': {
      const { text, form } = await readTextFile(tx, path);
      const target = file.moveTo === undefined ? path : resolvePath(file.moveTo);
      const changed = file.apply(text);
      if (isNotebook(path)) refuseNoJson(text, changed);
      tx.writeFile(path, await inForm(changed, form));
      if (target === path) return { path, change: 'changed' };
      if (await exists(tx, target)) throw new ToolFailure('failed', `${target} already exists; choose another path.`);
      tx.rename(path, target);
      return { path: target, change: `moved from ${path}` };
    }
  }
}

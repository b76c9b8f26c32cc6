import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import { contentHash } from './content-hash.ts';
import { WORKSPACE_TOOL_LIMITS, WORKSPACE_TOOLS_FOLDER } from './limits.ts';
import type { WorkspaceToolFile } from './workspace-tool-file.ts';

/** A tool in a file of the workspace. `hash`: the `contentHash` of the file. */
export interface FoundWorkspaceTool {
  tool: WorkspaceToolFile;
  hash: string;
}

/**
 * A file in a workspace's folder for tools that cannot be used as a tool. `reason`: a sentence that says where the fault is,
 * and what to do.
 */
export interface UnusableToolFile {
  path: string;
  code: 'too-large' | 'not-text' | 'not-usable';
  reason: string;
}

/**
 * Reads the tools in the `.js` files of a workspace's folder `WORKSPACE_TOOLS_FOLDER`; none if there is no such folder. No code
 * is run. `problems`: files that cannot be used as a tool.
 */
export async function findWorkspaceTools(
  fileSystem: Pick<FileSystem, 'readFile' | 'stat' | 'readdir'>,
): Promise<{ tools: FoundWorkspaceTool[]; problems: UnusableToolFile[] }> {
  const [tools, problems]: [FoundWorkspaceTool[], UnusableToolFile[]] = [[], []];
  const entries = await fileSystem.readdir(WORKSPACE_TOOLS_FOLDER).catch(unlessGone(() => []));
  const names = entries.filter(({ name, type }) => type === 'file' && name.endsWith('.js')).map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    const path = `${WORKSPACE_TOOLS_FOLDER}/${name}`;
    if (index >= WORKSPACE_TOOL_LIMITS.tools) {
      problems.push({ path, code: 'not-usable', reason: `Only the first ${WORKSPACE_TOOL_LIMITS.tools} are used.` });
      continue;
    }
    const found = await readOne(fileSystem, path).catch(unlessGone(() => undefined));
    if (found === undefined) continue;
    if ('reason' in found) problems.push(found);
    else tools.push(found);
  }
  return { tools, problems };
}

async function readOne(
  fileSystem: Pick<FileSystem, 'readFile' | 'stat'>,
  path: string,
): Promise<FoundWorkspaceTool | UnusableToolFile> {
  const { size } = await fileSystem.stat(path);
  const max = WORKSPACE_TOOL_LIMITS.fileBytes;
  if (size > max) return { path, code: 'too-large', reason: `The file has ${size} bytes; the limit is ${max}.` };
  const source = decodeUtf8(await fileSystem.readFile(path));
  if (source === undefined) return { path, code: 'not-text', reason: 'The file is not UTF-8 text.' };
  // Reading code takes a parser, which few workspaces need.
  const { readWorkspaceTool } = await import('./workspace-tool-file.ts');
  const tool = readWorkspaceTool(path, source);
  if ('reason' in tool) return { ...tool, code: 'not-usable' };
  return { tool, hash: await contentHash(path, source) };
}

/**
 * Makes a handler of errors that returns `otherwise()` for an error of the file system, so that a file or folder that cannot be
 * read counts as missing, and throws any other error again.
 */
const unlessGone =
  <T>(otherwise: () => T) =>
  (error: unknown): T => {
    if (error instanceof FileSystemError) return otherwise();
    throw error;
  };

import type { Tool } from './core/tool.ts';
import { patchedPaths } from './files/patches.ts';

/**
 * Returns the paths of the files that a call reads, writes, or deletes with a patch, from the argument that the tool's
 * presentation names for them. Empty if the arguments do not fit the tool, or if the presentation names no files, as with tools
 * that also take directories.
 */
export function touchedFiles(tool: Pick<Tool, 'parse' | 'presentation'>, input: unknown): readonly string[] {
  const { files } = tool.presentation;
  const parsed = files === undefined ? undefined : tool.parse(input);
  if (files === undefined || !parsed?.success) return [];
  const value = new Map(Object.entries(parsed.data ?? {})).get(files.argument);
  if (typeof value !== 'string') return [];
  return files.as === 'patch' ? patchedPaths(value) : [value];
}

import type { FileSystem } from '#lib/vfs/file-system.ts';
import { joinPath } from '#lib/vfs/paths.ts';

export interface TextMatch {
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

const MAX_MATCHES = 100;
/** Larger files are not looked into. */
const MAX_FILE_BYTES = 2_000_000;

/** Lines of the workspace's text files that hold `query`, whatever its case; at most `MAX_MATCHES`. */
export async function searchFiles(fileSystem: FileSystem, query: string, signal: AbortSignal): Promise<TextMatch[]> {
  const wanted = query.toLowerCase();
  const matches: TextMatch[] = [];
  const visit = async (directory: string): Promise<void> => {
    for (const { name, type } of await fileSystem.readdir(directory)) {
      if (signal.aborted || matches.length >= MAX_MATCHES) return;
      const path = joinPath(directory, name);
      if (type === 'directory') await visit(path);
      else if (type === 'file') await searchFile(path);
    }
  };
  const searchFile = async (path: string): Promise<void> => {
    if ((await fileSystem.stat(path)).size > MAX_FILE_BYTES) return;
    const bytes = await fileSystem.readFile(path);
    if (bytes.includes(0)) return;
    new TextDecoder()
      .decode(bytes)
      .split('\n')
      .forEach((text, index) => {
        if (matches.length < MAX_MATCHES && text.toLowerCase().includes(wanted))
          matches.push({ path, line: index + 1, text: text.trim() });
      });
  };
  await visit('/');
  return matches;
}

import type { TextQuery } from '#lib/tools/workspace-search.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import { compile, filesIn, isBinary, SEARCHED_FILE_MAX_BYTES } from './search.ts';

/** What is to be replaced; in the replacement of a regular expression, `$1` and its kin are what was found. */
export interface Replacement extends Omit<TextQuery, 'limit' | 'contextLines'> {
  replacement: string;
}

export interface ReplacementCount {
  files: number;
  places: number;
}

/**
 * Replaces every place that a search finds, as one commit of the person. Files keep their line endings; those that are
 * not UTF-8 are left alone. Rejects with `ToolFailure` for a pattern that is no regular expression.
 */
export function replaceText(fileSystem: FileSystem, query: Replacement): Promise<ReplacementCount> {
  const pattern = compile(query);
  const { isLiteral, replacement } = query;
  return fileSystem.transaction({ type: 'person' }, async (tx) => {
    const count: ReplacementCount = { files: 0, places: 0 };
    const files = (await Array.fromAsync(filesIn(tx, query))).flat();
    for (const { path, size } of files) {
      if (size > SEARCHED_FILE_MAX_BYTES) continue;
      const bytes = await tx.readFile(path);
      const text = isBinary(bytes) ? undefined : decodeUtf8(bytes);
      if (text === undefined) continue;
      // Where all lines end as Windows has it, `$` must find their ends.
      const isWindows = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
      const plain = isWindows ? text.replaceAll('\r\n', '\n') : text;
      const places = [...plain.matchAll(pattern)].length;
      if (places === 0) continue;
      const replaced = isLiteral ? plain.replace(pattern, () => replacement) : plain.replace(pattern, replacement);
      if (replaced === plain) continue;
      tx.writeFile(path, new TextEncoder().encode(isWindows ? replaced.replace(/\r?\n/g, '\r\n') : replaced));
      count.files++;
      count.places += places;
    }
    return count;
  });
}

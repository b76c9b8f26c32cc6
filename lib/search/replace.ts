import type { TextMatch, TextQuery } from '#lib/tools/workspace-search.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import { compile, filesIn, isBinary, SEARCHED_FILE_MAX_BYTES } from './search.ts';

/** What is to be replaced; in the replacement of a regular expression, `$1` and its kin are what was found. */
export interface Replacement extends Omit<TextQuery, 'limit' | 'contextLines'> {
  replacement: string;
  /** Only what was found there, as `TextMatch` has it, in the one file that `path` is. */
  at?: Pick<TextMatch, 'line' | 'column'>;
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
  const { isLiteral, replacement, at } = query;
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
      const places = at === undefined ? [...plain.matchAll(pattern)].length : 1;
      if (places === 0) continue;
      const wanted = at === undefined ? pattern : only(pattern, offsetOf(plain, at));
      const replaced = isLiteral ? plain.replace(wanted, () => replacement) : plain.replace(wanted, replacement);
      if (replaced === plain) continue;
      tx.writeFile(path, new TextEncoder().encode(isWindows ? replaced.replace(/\r?\n/g, '\r\n') : replaced));
      count.files++;
      count.places += places;
    }
    return count;
  });
}

/** Where a line and a column of a text are; behind its end where it is not that long. */
function offsetOf(text: string, { line, column }: Pick<TextMatch, 'line' | 'column'>): number {
  let start = 0;
  for (let number = 1; number < line; number++) {
    const end = text.indexOf('\n', start);
    if (end === -1) return text.length + 1;
    start = end + 1;
  }
  return start + column - 1;
}

/** The same pattern for one place: as sticky, it fits there or not at all. */
function only({ source, flags }: RegExp, offset: number): RegExp {
  const pattern = new RegExp(source, flags.replace('g', 'y'));
  pattern.lastIndex = offset;
  return pattern;
}

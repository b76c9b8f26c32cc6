import type { TextMatch, TextQuery } from '#lib/tools/capabilities/workspace-search.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { bytesFromText, type TextForm, TextFormError, textFromBytes } from '#lib/vfs/text-form.ts';
import { compile, filesIn, isBinaryText, SEARCHED_FILE_MAX_BYTES } from './search.ts';

/** A search and its replacement. For a regular expression, `$1` and so on in the replacement insert captured groups. */
export interface Replacement extends Omit<TextQuery, 'limit' | 'contextLines'> {
  replacement: string;
  /** The position of the only match to replace, as in `TextMatch`, in the single file `path`; absent to replace all matches. */
  at?: Pick<TextMatch, 'line' | 'column'>;
}

export interface ReplacementCount {
  files: number;
  places: number;
}

/**
 * Replaces all matches of a search, or the one at `at`, as a single commit by the user. Files keep their line endings and their
 * encoding; those that are no text, or larger than `SEARCHED_FILE_MAX_BYTES`, are left alone. Rejects with `ToolFailure` for an
 * invalid regular expression, and if the encoding of a file has no character for the replacement; then nothing is replaced.
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
      const read = await textFromBytes(bytes);
      if (read === undefined || isBinaryText(read.text)) continue;
      const { text, form } = read;
      // If all lines have Windows line endings, `$` must still match at their ends.
      const isWindows = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
      const plain = isWindows ? text.replaceAll('\r\n', '\n') : text;
      const places = at === undefined ? [...plain.matchAll(pattern)].length : 1;
      if (places === 0) continue;
      const wanted = at === undefined ? pattern : only(pattern, offsetOf(plain, at));
      const replaced = isLiteral ? plain.replace(wanted, () => replacement) : plain.replace(wanted, replacement);
      if (replaced === plain) continue;
      tx.writeFile(path, await inForm(path, isWindows ? replaced.replace(/\r?\n/g, '\r\n') : replaced, form));
      count.files++;
      count.places += places;
    }
    return count;
  });
}

async function inForm(path: string, text: string, form: TextForm): Promise<Uint8Array> {
  try {
    return await bytesFromText(text, form);
  } catch (error) {
    if (!(error instanceof TextFormError)) throw error;
    const { encoding } = form;
    throw new ToolFailure(
      'failed',
      `Nothing was replaced: ${path} is written in ${encoding}, which cannot store the replacement. Exclude this file, or use other characters.`,
    );
  }
}

/** The offset of a line and column in a text; past its end if the text has fewer lines. */
function offsetOf(text: string, { line, column }: Pick<TextMatch, 'line' | 'column'>): number {
  let start = 0;
  for (let number = 1; number < line; number++) {
    const end = text.indexOf('\n', start);
    if (end === -1) return text.length + 1;
    start = end + 1;
  }
  return start + column - 1;
}

/** The same pattern for one position: with the sticky flag, it matches there or not at all. */
function only({ source, flags }: RegExp, offset: number): RegExp {
  const pattern = new RegExp(source, flags.replace('g', 'y'));
  pattern.lastIndex = offset;
  return pattern;
}

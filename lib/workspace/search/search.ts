import type {
  FileMatches,
  FileQuery,
  LineCounts,
  LineQuery,
  SearchScope,
  TextMatch,
  TextMatches,
  TextQuery,
} from '#lib/tools/capabilities/workspace-search.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { textFromBytes } from '#lib/vfs/text-form.ts';
import { globMatcher, type WalkedFile, walkFiles } from './walk.ts';

/**
 * The size of the largest file that is searched, in bytes. Larger ones are data, and a single line of them could fill the
 * whole result.
 */
export const SEARCHED_FILE_MAX_BYTES = 10_000_000;

/** The maximum number of characters of a line that a search result shows; of a longer line, it shows a part. */
export const SHOWN_LINE_LENGTH = 300;

/** The number of a file's first bytes among which a NUL makes the file binary, as in git. */
const BINARY_LOOK_BYTES = 8_000;

/** The number of a file's first bytes that are searched for a NUL before it is decoded: most binary files have one there. */
const BINARY_GLANCE_BYTES = 512;

/** The most files that are read in one batch. */
const BATCH_FILES = 512;
/** The total size at which a batch of files is read, in bytes. */
const BATCH_BYTES = 4_000_000;

/** The number of batches that are read ahead while one is being searched. */
const READ_AHEAD_BATCHES = 6;

/**
 * Contents that are adjacent in memory are decoded together, up to this many bytes, which fit the processor's cache.
 */
const RUN_MAX_BYTES = 64 * 1024;

const EMPTY = new Uint8Array();

const decoder = new TextDecoder();

/**
 * Finds the files that match a glob, below a directory, except those that `.gitignore` files exclude. Returns the paths of the
 * first ones, up to `limit` of the query, and counts all. `protected` of the result: the number of folders left out because
 * rules of the user protect them.
 */
export async function searchFiles(fileSystem: FileSystemReader, query: FileQuery): Promise<FileMatches> {
  const paths: string[] = [];
  let total = 0;
  const left = new Leftovers();
  for await (const files of filesIn(fileSystem, query, left.add))
    for (const { path } of files) if (++total <= query.limit) paths.push(path);
  return { paths, total, ...left.count };
}

/**
 * Finds the lines of text files that match a pattern, one match for each line, at most `limit` of the query. Leaves out files
 * that `.gitignore` files exclude, binary files, and large ones, which `skipped` of the result lists. Rejects with
 * `ToolFailure` for an invalid regular expression.
 */
export async function searchText(fileSystem: FileSystemReader, query: TextQuery): Promise<TextMatches> {
  const pattern = compile(query);
  const matches: TextMatch[] = [];
  const skipped: string[] = [];
  const left = new Leftovers();
  let filesSearched = 0;
  for await (const files of textsIn(fileSystem, query, (path) => skipped.push(path), left.add)) {
    for (const file of files) {
      const { path, text } = file instanceof Promise ? await file : file;
      filesSearched++;
      for (const match of matchesIn(path, text, pattern, query.contextLines)) {
        if (matches.length === query.limit) return { matches, hasMore: true, filesSearched, skipped, ...left.count };
        matches.push(match);
      }
    }
  }
  return { matches, hasMore: false, filesSearched, skipped, ...left.count };
}

/**
 * Counts the lines of each text file, and of all together, except files that `.gitignore` files exclude. Lists the first files
 * with their counts, up to `limit` of the query.
 */
export async function countLines(fileSystem: FileSystemReader, query: LineQuery): Promise<LineCounts> {
  const files: { path: string; lines: number }[] = [];
  const total = { files: 0, lines: 0 };
  const left = new Leftovers();
  for await (const texts of textsIn(fileSystem, query, () => undefined, left.add)) {
    for (const file of texts) {
      const { path, text } = file instanceof Promise ? await file : file;
      const lines = linesOf(text).length;
      total.files++;
      total.lines += lines;
      if (files.length < query.limit) files.push({ path, lines });
    }
  }
  return { files, total, ...left.count };
}

/** Counts the files and folders that a search leaves out because rules of the user protect them. */
class Leftovers {
  #count = 0;

  readonly add = (): void => {
    this.#count++;
  };

  /** The number of files and folders that were left out, as `protected`; absent if there are none. */
  get count(): { protected?: number } {
    return this.#count === 0 ? {} : { protected: this.#count };
  }
}

/**
 * Finds the files in the scope of a search (a directory or file, and a glob), in batches. `onProtected`: called with each
 * folder that is left out because it may not be read.
 */
export async function* filesIn(
  fileSystem: FileSystemReader,
  { path, glob }: SearchScope,
  onProtected?: (path: string) => void,
): AsyncIterable<readonly WalkedFile[]> {
  const matches = glob === undefined ? () => true : globMatcher(glob, path);
  for await (const files of walkFiles(fileSystem, path, onProtected)) yield files.filter((file) => matches(file.path));
}

interface TextFile {
  path: string;
  text: string;
}

/** The text files of a batch. Nearly all are UTF-8 and need not be waited for, which makes a search much faster. */
type Texts = Iterable<TextFile | Promise<TextFile>>;

/**
 * Finds and reads the text files of a scope, in batches. The next batches are read while the current one is being searched.
 * `onSkipped`: called with files that are too large. `onProtected`: called with files and folders that may not be read.
 */
async function* textsIn(
  fileSystem: FileSystemReader,
  scope: SearchScope,
  onSkipped: (path: string) => void,
  onProtected: (path: string) => void,
): AsyncIterable<Texts> {
  const ahead: Promise<Texts>[] = [];
  for await (const batch of batchesOf(filesIn(fileSystem, scope, onProtected), onSkipped, onProtected)) {
    const reading = readTexts(fileSystem, batch);
    // Prevents an unhandled rejection if the caller stops iterating.
    reading.catch(() => undefined);
    ahead.push(reading);
    if (ahead.length > READ_AHEAD_BATCHES) yield (await ahead.shift()) ?? [];
  }
  for (const reading of ahead) yield await reading;
}

async function* batchesOf(
  folders: AsyncIterable<readonly WalkedFile[]>,
  onSkipped: (path: string) => void,
  onProtected: (path: string) => void,
): AsyncIterable<readonly WalkedFile[]> {
  let batch: WalkedFile[] = [];
  let bytes = 0;
  for await (const files of folders) {
    for (const file of files) {
      if (file.isProtected) {
        onProtected(file.path);
        continue;
      }
      if (file.size > SEARCHED_FILE_MAX_BYTES) {
        onSkipped(file.path);
        continue;
      }
      batch.push(file);
      bytes += file.size;
      if (batch.length < BATCH_FILES && bytes < BATCH_BYTES) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  yield batch;
}

/** Reads files; each is decoded when it is iterated over. Binary files are left out. */
async function readTexts(fileSystem: FileSystemReader, files: readonly WalkedFile[]): Promise<Texts> {
  const paths = files.map(({ path }) => path);
  return texts(files, await fileSystem.readFiles(paths, { isBrief: true }));
}

function* texts(files: readonly WalkedFile[], contents: readonly Uint8Array[]): Texts {
  for (let start = 0; start < contents.length; ) {
    const end = runEnd(contents, start);
    const run = end - start > 1 ? decodeRun(contents, start, end) : undefined;
    const base = contents[start]?.byteOffset ?? 0;
    for (let index = start; index < end; index++) {
      const bytes = contents[index] ?? EMPTY;
      const offset = bytes.byteOffset - base;
      const text = run === undefined ? decode(bytes) : run.slice(offset, offset + bytes.byteLength);
      const path = files[index]?.path ?? '';
      if (hasMarkOfUtf16(bytes) || text?.includes('\ufffd') === true) yield readInForm(path, bytes, text ?? '');
      else if (text !== undefined) yield { path, text };
    }
    start = end;
  }
}

/** The index after the last of the contents that follow each other in memory from `start` on, as those of one pack do. */
function runEnd(contents: readonly Uint8Array[], start: number): number {
  const first = contents[start] ?? EMPTY;
  let end = start + 1;
  let next = first.byteOffset + first.byteLength;
  for (let content = contents[end]; content !== undefined; content = contents[++end]) {
    if (content.buffer !== first.buffer || content.byteOffset !== next) break;
    next += content.byteLength;
    if (next - first.byteOffset > RUN_MAX_BYTES) break;
  }
  return end;
}

/**
 * Decodes adjacent contents as one text, which is much cheaper than decoding each of them. Undefined if the result
 * would differ: each byte has to be one character, and none may be a character that `decode` handles specially.
 */
function decodeRun(contents: readonly Uint8Array[], start: number, end: number): string | undefined {
  const [first, last] = [contents[start] ?? EMPTY, contents[end - 1] ?? EMPTY];
  const bytes = new Uint8Array(first.buffer, first.byteOffset, last.byteOffset + last.byteLength - first.byteOffset);
  const text = decoder.decode(bytes);
  const isPlain = text.length === bytes.byteLength && !text.includes('\0') && !text.includes('\r\n');
  return isPlain ? text : undefined;
}

const hasMarkOfUtf16 = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);

/** Decodes a file that is not UTF-8. `damaged`: the text that is searched if its encoding is not recognized. */
async function readInForm(path: string, bytes: Uint8Array, damaged: string): Promise<TextFile> {
  const text = (await textFromBytes(bytes))?.text ?? damaged;
  return { path, text: text.replaceAll('\r\n', '\n') };
}

export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, BINARY_LOOK_BYTES).includes(0);

/** Checks by the decoded text of a file whether the file is binary: it then has a NUL near its beginning. */
export function isBinaryText(text: string): boolean {
  // Searching a string is much faster than searching a byte array.
  const nul = text.indexOf('\0');
  return nul !== -1 && nul < BINARY_LOOK_BYTES;
}

/** The text of a file; undefined if it is binary. CRLF becomes LF, so that `$` matches at the end of each line. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, BINARY_GLANCE_BYTES).includes(0)) return undefined;
  const text = decoder.decode(bytes);
  if (isBinaryText(text)) return undefined;
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

/**
 * The source of a regular expression that matches a text in either Unicode form: files of macOS have letters and their
 * accents as two characters.
 */
function literal(text: string): string {
  const others = new Set([text.normalize('NFC'), text.normalize('NFD')]);
  others.delete(text);
  return [RegExp.escape(text), ...[...others].map((form) => RegExp.escape(form) + WHOLE_LETTER)].join('|');
}

/** A lookahead that fails if more of the same letter follows: another accent, or the rest of a Korean syllable. */
const WHOLE_LETTER = '(?![\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u1160-\\u11ff])';

/**
 * Makes the regular expression of a search, which finds all matches, and in which `^` and `$` match at each line. Throws
 * `ToolFailure` if the pattern is invalid.
 */
export function compile({ pattern, isLiteral, ignoreCase }: Omit<TextQuery, 'limit' | 'contextLines'>): RegExp {
  const source = isLiteral ? literal(pattern) : pattern;
  try {
    return new RegExp(source, ignoreCase ? 'gim' : 'gm');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolFailure(
      'failed',
      `The pattern is not a valid regular expression: ${reason}. Fix it, or set "literal" to search for it as plain text.`,
    );
  }
}

/** Finds the matches in a text: at most one per line, on the line where it begins. */
function* matchesIn(path: string, text: string, pattern: RegExp, contextLines: number): Iterable<TextMatch> {
  pattern.lastIndex = 0;
  let lines: string[] | undefined;
  let line = 0;
  let lineStart = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    lines ??= linesOf(text);
    for (let end = lineEnd(lines, line, lineStart); found.index > end; end = lineEnd(lines, line, lineStart)) {
      lineStart = end + 1;
      line++;
    }
    const content = lines[line];
    // An empty match after the last line break is not on any line.
    if (content === undefined) return;
    yield {
      path,
      line: line + 1,
      column: found.index - lineStart + 1,
      length: Math.min(found[0].length, lineStart + content.length - found.index),
      ...excerpt(content, found.index - lineStart),
      before: lines.slice(Math.max(0, line - contextLines), line).map((text) => excerpt(text, 0).text),
      after: lines.slice(line + 1, line + 1 + contextLines).map((text) => excerpt(text, 0).text),
    };
    // Continue on the next line.
    pattern.lastIndex = lineEnd(lines, line, lineStart) + 1;
    if (pattern.lastIndex > text.length) return;
  }
}

/** The lines of a text. A trailing line break ends the last line and does not start another one. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const lineEnd = (lines: readonly string[], line: number, lineStart: number): number =>
  lineStart + (lines[line]?.length ?? 0);

/** The part of a long line around a position, and the position within that part. */
function excerpt(text: string, place: number): { text: string; offset: number } {
  if (text.length <= SHOWN_LINE_LENGTH) return { text, offset: place };
  const start = Math.max(0, Math.min(place - 50, text.length - SHOWN_LINE_LENGTH));
  const end = start + SHOWN_LINE_LENGTH;
  const before = start > 0 ? '…' : '';
  return {
    text: `${before}${text.slice(start, end)}${end < text.length ? '…' : ''}`,
    offset: place - start + before.length,
  };
}

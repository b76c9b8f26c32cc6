import { applyPatch as applyUnified, parsePatch } from 'diff';
import { messageOf } from '#lib/base/message-of.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import { ToolFailure } from '../core/tool-call.ts';
import type { PathAccess } from '../permission/path-rule.ts';
import { inPlaceOf, type Line, type LineEnd, linesOf, usualEnd, withLf } from './line-ends.ts';

/**
 * The change that a patch makes to one file: it adds, deletes, or updates it. `moveTo`: the new path, if an update also
 * moves the file. `apply` returns the new text, or throws `ToolFailure` if the patch does not fit the old one.
 */
export type FilePatch =
  | { type: 'add'; path: string; content: string }
  | { type: 'delete'; path: string }
  | { type: 'update'; path: string; moveTo: string | undefined; apply(text: string): string };

/** The most context lines of a hunk that may differ. */
const FUZZ_LINES = 2;

const V4A_BEGIN = /^\*\*\* Begin Patch\s*$/m;
const V4A_FILE = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
const V4A_MOVE = /^\*\*\* Move to: (.+?)\s*$/;

/**
 * Reads the changes to files from a patch in the V4A format (`*** Begin Patch`) or a unified diff. Throws `ToolFailure` if it
 * is neither.
 */
export function readPatch(patch: string): FilePatch[] {
  const text = withLf(patch);
  const patches = V4A_BEGIN.test(text) || V4A_FILE.test(text.trimStart()) ? readV4a(text) : readUnified(text);
  if (patches.length === 0) {
    throw new ToolFailure(
      'failed',
      'The patch names no file. Write a unified diff with "--- " and "+++ " lines, or "*** Begin Patch" with "*** Update File: path".',
    );
  }
  return patches;
}

/**
 * Returns the absolute paths of a patch's files, with deleted ones, and with moved ones at their new paths. Empty if the
 * patch is unreadable.
 */
export function patchedPaths(patch: string): string[] {
  try {
    return readPatch(patch).map((file) => resolvePath(('moveTo' in file && file.moveTo) || file.path));
  } catch {
    return [];
  }
}

/** The paths that a patch reads and writes, for the user's rules about paths; empty if the patch is unreadable. */
export function patchAccesses(patch: string): PathAccess[] {
  try {
    return readPatch(patch).flatMap(accessesOf);
  } catch {
    return [];
  }
}

function accessesOf(file: FilePatch): PathAccess[] {
  const { path } = file;
  if (file.type === 'delete') return [{ path, effects: ['write'], isDeep: true }];
  if (file.type === 'add') return [{ path, effects: ['write'] }];
  const changed: PathAccess = { path, effects: ['read', 'write'] };
  if (file.moveTo === undefined) return [changed];
  return [
    changed,
    { path, effects: ['read', 'write'], isDeep: true },
    { path: file.moveTo, effects: ['write'], isDeep: true },
  ];
}

// ---- V4A: no line numbers; a chunk is located by its lines

interface Chunk {
  /** A line, such as a function header, from which on the chunk's lines are searched; undefined if there is none. */
  anchor: string | undefined;
  lines: { sign: ' ' | '-' | '+'; text: string }[];
}

function readV4a(text: string): FilePatch[] {
  const lines = text.split('\n');
  const patches: FilePatch[] = [];
  let at = lines.findIndex((line) => V4A_FILE.test(line));
  while (at !== -1 && at < lines.length) {
    const [, action, path = ''] = V4A_FILE.exec(lines[at] ?? '') ?? [];
    let end = at + 1;
    while (end < lines.length && !V4A_FILE.test(lines[end] ?? '') && !/^\*\*\* End Patch/.test(lines[end] ?? '')) end++;
    const body = lines.slice(at + 1, end);
    if (action === 'Delete') patches.push({ type: 'delete', path });
    else if (action === 'Add') patches.push({ type: 'add', path, content: addedContent(body, path) });
    else patches.push(updateOf(path, body));
    at = end < lines.length && V4A_FILE.test(lines[end] ?? '') ? end : -1;
  }
  return patches;
}

function addedContent(body: readonly string[], path: string): string {
  const lines = body.at(-1) === '' ? body.slice(0, -1) : body;
  const wrong = lines.find((line) => !line.startsWith('+'));
  if (wrong !== undefined)
    throw new ToolFailure(
      'failed',
      `Every line of the new file ${path} must begin with "+": ${JSON.stringify(wrong)}.`,
    );
  return lines.map((line) => `${line.slice(1)}\n`).join('');
}

function updateOf(path: string, body: readonly string[]): FilePatch {
  const move = V4A_MOVE.exec(body[0] ?? '');
  const chunks = readChunks(move === null ? body : body.slice(1), path);
  return { type: 'update', path, moveTo: move?.[1], apply: (text) => applyChunks(text, chunks, path) };
}

function readChunks(body: readonly string[], path: string): Chunk[] {
  const chunks: Chunk[] = [];
  let chunk: Chunk | undefined;
  const lines = body.at(-1) === '' ? body.slice(0, -1) : body;
  for (const line of lines) {
    if (line.startsWith('@@')) {
      const anchor = line
        .slice(2)
        .replace(/@@\s*$/, '')
        .trim();
      chunk = { anchor: anchor === '' || /^-\d+/.test(anchor) ? undefined : anchor, lines: [] };
      chunks.push(chunk);
      continue;
    }
    if (line.startsWith('*** End of File')) continue;
    if (chunk === undefined) {
      chunk = { anchor: undefined, lines: [] };
      chunks.push(chunk);
    }
    // Models omit the leading space of an empty line.
    const [sign, content] = line === '' ? [' ', ''] : [line[0], line.slice(1)];
    if (sign !== ' ' && sign !== '-' && sign !== '+')
      throw new ToolFailure(
        'failed',
        `A line of the patch for ${path} does not begin with " ", "-" or "+": ${JSON.stringify(line)}.`,
      );
    chunk.lines.push({ sign, text: content });
  }
  return chunks.filter(({ lines: { length } }) => length > 0);
}

function applyChunks(text: string, chunks: readonly Chunk[], path: string): string {
  const lines = linesOf(text);
  const usual = usualEnd(lines);
  let from = 0;
  for (const [index, { anchor, lines: patched }] of chunks.entries()) {
    if (anchor !== undefined) {
      const found = lines.findIndex((line, row) => row >= from && line.text.trim() === anchor);
      if (found === -1) throw misfit(path, index, `the line ${JSON.stringify(anchor)} was not found`);
      from = found;
    }
    const before = patched.flatMap(({ sign, text: line }) => (sign === '+' ? [] : line));
    const place = findLines(lines, before, from);
    if (place === undefined) throw misfit(path, index, `these lines were not found:\n${before.join('\n')}`);
    const after = replacedLines(lines, place, patched);
    lines.splice(place, before.length, ...after);
    from = place + after.length;
  }
  // The line that was the last may have others after it now.
  return lines
    .map(({ text: line, end }, row) => {
      const isLast = row === lines.length - 1;
      return `${line}${end === '' && !isLast ? lines[row - 1]?.end || usual : end}`;
    })
    .join('');
}

/** A chunk's lines after the change. An added line gets the line end of a removed one, or else of the line before it. */
function replacedLines(lines: readonly Line[], place: number, patched: Chunk['lines']): Line[] {
  const after: Line[] = [];
  let removed: LineEnd[] = [];
  let row = place;
  for (const { sign, text } of patched) {
    if (sign === '+') {
      const before = after.at(-1) ?? lines[place - 1];
      after.push({ text, end: removed.shift() ?? before?.end ?? '' });
      continue;
    }
    const line = lines[row++];
    if (line === undefined) continue;
    if (sign === '-') removed.push(line.end);
    else {
      after.push(line);
      removed = [];
    }
  }
  return after;
}

const misfit = (path: string, index: number, reason: string): ToolFailure =>
  new ToolFailure(
    'failed',
    `Chunk ${index + 1} of ${path} does not fit: ${reason}\nRead the file and write a new patch.`,
  );

/**
 * Finds consecutive lines from the index `from` on: exactly, else ignoring trailing white space, else ignoring indentation as
 * well. Returns the index of the first; undefined if they are not found. For no lines, returns the index at which lines are
 * appended.
 */
function findLines(lines: readonly Line[], wanted: readonly string[], from: number): number | undefined {
  // New lines without context are appended.
  if (wanted.length === 0) return lines.at(-1)?.text === '' ? lines.length - 1 : lines.length;
  for (const normal of [(line: string) => line, (line: string) => line.trimEnd(), (line: string) => line.trim()]) {
    for (let row = from; row + wanted.length <= lines.length; row++)
      if (wanted.every((line, index) => normal(lines[row + index]?.text ?? '') === normal(line))) return row;
  }
  return undefined;
}

// ---- Unified diffs

function readUnified(text: string): FilePatch[] {
  let parsed: ReturnType<typeof parsePatch>;
  try {
    parsed = parsePatch(recount(text));
  } catch (error) {
    throw new ToolFailure('failed', `The patch cannot be read: ${messageOf(error)}.`);
  }
  return parsed
    .filter(({ oldFileName, newFileName }) => oldFileName !== undefined || newFileName !== undefined)
    .map((file): FilePatch => {
      const [from, to] = [withoutPrefix(file.oldFileName), withoutPrefix(file.newFileName)];
      if (to === undefined) return { type: 'delete', path: from ?? '' };
      const apply = (before: string): string => {
        const options = { fuzzFactor: FUZZ_LINES, autoConvertLineEndings: false };
        const after = applyUnified(withLf(before), file, options);
        if (after === false)
          throw new ToolFailure(
            'failed',
            `The patch for ${to} does not match the current file. Read the file and write a new patch.`,
          );
        const lines = linesOf(before);
        return inPlaceOf(lines, after.split('\n'), { previous: undefined, usual: usualEnd(lines) });
      };
      if (from === undefined) return { type: 'add', path: to, content: apply('') };
      return { type: 'update', path: from, moveTo: from === to ? undefined : to, apply };
    });
}

/** Removes git's `a/` or `b/` prefix from a file name; undefined for `/dev/null`, which stands for no file. */
function withoutPrefix(name: string | undefined): string | undefined {
  if (name === undefined || name === '/dev/null') return undefined;
  return name.replace(/^[ab]\//, '');
}

/** Corrects the line counts in hunk headers, which models often get wrong. */
function recount(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, row) => {
      const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
      if (head === null) return line;
      let [removed, added] = [0, 0];
      for (let next = row + 1; next < lines.length && !endsHunk(lines, next); next++) {
        const sign = lines[next]?.[0];
        if (sign !== '+') removed += sign === '-' || sign === ' ' ? 1 : 0;
        if (sign !== '-') added += sign === '+' || sign === ' ' ? 1 : 0;
      }
      return `@@ -${head[1]},${removed} +${head[2]},${added} @@${line.slice(head[0].length)}`;
    })
    .join('\n');
}

/** Checks whether a line begins another hunk or file. A removed line may also begin with `--- `. */
const endsHunk = (lines: readonly string[], row: number): boolean =>
  /^(?:@@ |diff |Index: )/.test(lines[row] ?? '') ||
  (/^--- /.test(lines[row] ?? '') && /^\+\+\+ /.test(lines[row + 1] ?? ''));

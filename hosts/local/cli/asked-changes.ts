import { decodeUtf8 } from '#lib/vfs/text.ts';
import type { CallProposal } from '#lib/workspace/review/call-proposal.ts';
import { changeKind, type ProposedFile } from '#lib/workspace/review/proposal.ts';
import { colored, diffOf, WHOLE } from './diff-view.ts';
import { type Output, shownName, styled } from './terminal.ts';

const KINDS = { created: 'new', changed: 'changed', deleted: 'deleted' } as const;

/**
 * Returns lines for the question whether a call may run: for each file that the call would change, a title, and the diff in
 * full if there is one. If `isStale`, because the model wrote a file from an older version, a last line says so.
 */
export function askedChanges(output: Output, { files, uncompared, isStale }: CallProposal): string[] {
  const lines: string[] = [];
  const count = files.length + uncompared.length;
  if (count > 1) lines.push(styled(output, 'bold', `${count} files change:`));
  for (const file of files) lines.push(...changeOf(output, file));
  for (const { path, change } of uncompared)
    lines.push(`${titleOf(output, path, change)} (not compared: too many files, or too large)`);
  if (isStale) lines.push(styled(output, 'yellow', STALE));
  return lines;
}

const STALE = 'The model wrote this file from an older version. What was changed since is kept where it can be.';

function changeOf(output: Output, file: ProposedFile): string[] {
  const { path, before, after } = file;
  const title = titleOf(output, path, changeKind(file));
  if (after === null) return [`${title} (${sizeOf(before)})`];
  const [old, now] = [before === null ? '' : decodeUtf8(before), decodeUtf8(after)];
  if (old === undefined || now === undefined)
    return [`${title} (no text: ${before?.byteLength ?? 0} bytes before, ${after.byteLength} after)`];
  const diff = diffOf(old, now) ?? [...marked(old, '-'), ...marked(now, '+')].join('\n');
  return [title, ...(diff === '' ? [] : colored(output, diff, WHOLE).split('\n'))];
}

/** Describes the size of a deleted file: its number of lines, or of bytes if it is not text. */
function sizeOf(bytes: Uint8Array | null): string {
  const text = decodeUtf8(bytes ?? new Uint8Array());
  if (text === undefined) return `${bytes?.byteLength ?? 0} bytes`;
  const lines = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}

const titleOf = (output: Output, path: string, change: keyof typeof KINDS): string =>
  `${styled(output, 'bold', shownName(path))} ${KINDS[change]}`;

const marked = (text: string, mark: string): string[] =>
  text === '' ? [] : text.split('\n').map((line) => `${mark}${line}`);

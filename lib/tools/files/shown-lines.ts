import { startOf } from '#lib/base/cut-text.ts';
import { counted } from '../core/counted.ts';
import { PART_CHARACTERS } from './text-limit.ts';

/** The lines of a text that a model asks for. `isInParts`: whether the text is too long to be shown as a whole. */
interface LineRange {
  path: string;
  offset: number;
  limit: number;
  column: number | undefined;
  isInParts: boolean;
}

/**
 * Returns lines of a text for the model, with a notice that says how to continue if there are more. `offset`, `column`: the
 * line and the character in it to begin at, counted from 1. `limit`: the most lines. `path`: the file's name for notices.
 * `isInParts`: the text is too long to be shown at once; then at most `PART_CHARACTERS` are shown. Of the result, `lines` is
 * the number of all lines, and `isEmpty` says whether there is only a notice, because the text has no such lines.
 */
export function shownLines(
  text: string,
  { path, offset, limit, column, isInParts }: LineRange,
): { content: string; lines: number; isEmpty: boolean } {
  const lines = text.split('\n');
  // A trailing line break ends the last line and does not start another one.
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const shown = (content: string) => ({ content, lines: count, isEmpty: false });
  const nothing = (notice: string) => ({ content: `[${notice}]`, lines: count, isEmpty: true });
  if (!isInParts && column === undefined && offset === 1 && count <= limit) return shown(text);
  if (offset > count) return nothing(`${path} has ${counted(count, 'line')}; there is no line ${offset}.`);
  const length = lines[offset - 1]?.length ?? 0;
  if (column !== undefined && column > Math.max(1, length))
    return nothing(`Line ${offset} has ${counted(length, 'character')}; there is no column ${column}.`);
  if (isInParts || column !== undefined)
    return shown(partOf(lines.slice(0, count), { offset, limit, column: column ?? 1 }));
  const last = Math.min(count, offset + limit - 1);
  const more = last < count ? ` Continue with offset ${last + 1}.` : '';
  return shown(`${lines.slice(offset - 1, last).join('\n')}\n[Lines ${offset} to ${last} of ${count}.${more}]`);
}

/** As many whole lines as fit into one part, or a range of a line that is too long for it; with a notice how to continue. */
function partOf(
  lines: readonly string[],
  { offset, limit, column }: { offset: number; limit: number; column: number },
): string {
  const [line = '', ...others] = lines.slice(offset - 1, offset - 1 + limit);
  const first = startOf(line.slice(column - 1), PART_CHARACTERS);
  const end = column - 1 + first.length;
  if (end < line.length)
    return `${first}\n[Characters ${column} to ${end} of the ${line.length} in line ${offset} of ${lines.length}. Continue with offset ${offset}, column ${end + 1}.]`;
  const shown = [first];
  let room = PART_CHARACTERS - first.length;
  for (const other of others) {
    room -= other.length + 1;
    if (room < 0) break;
    shown.push(other);
  }
  const last = offset + shown.length - 1;
  const more = last < lines.length ? ` Continue with offset ${last + 1}.` : '';
  const from = column === 1 ? '' : `, from character ${column} of the first one`;
  return `${shown.join('\n')}\n[Lines ${offset} to ${last} of ${lines.length}${from}.${more}]`;
}

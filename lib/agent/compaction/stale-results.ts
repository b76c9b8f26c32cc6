import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import type { ToolCallPart } from '#lib/messages/message.ts';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import type { HistoryUnit } from '../history.ts';

/** The size in tokens up to which a stale result stays: a note in its place would hardly be shorter. */
const STALE_TOKENS_MIN = 80;

/**
 * Returns the ids of the calls whose results are stale: each has read one file, and a later call has seen that file with
 * other content, or has read it again with the same arguments. Short results do not count (`STALE_TOKENS_MIN`). `isReading`:
 * checks whether a tool only reads.
 */
export function staleCalls(units: readonly HistoryUnit[], isReading: (toolName: string) => boolean): string[] {
  const stale: string[] = [];
  /** The latest hash of each file in newer calls, by path. */
  const latest = new Map<string, string>();
  const readAgain = new Set<string>();
  for (const unit of units.toReversed()) {
    if (unit.role === 'user') continue;
    for (const part of unit.parts.toReversed()) {
      if (part.type !== 'tool-call') continue;
      const { files = [] } = part.result ?? {};
      const [file] = files;
      const reading = JSON.stringify([part.toolName, part.input]);
      if (file !== undefined && files.length === 1 && isReading(part.toolName) && part.result?.type === 'tool-result') {
        const isChanged = (latest.get(file.path) ?? file.hash) !== file.hash;
        if ((isChanged || readAgain.has(reading)) && isLong(part)) stale.push(part.toolCallId);
        readAgain.add(reading);
      }
      for (const { path, hash } of files) if (!latest.has(path)) latest.set(path, hash);
    }
  }
  return stale.reverse();
}

const isLong = ({ result }: ToolCallPart): boolean =>
  result !== undefined && estimateTokens(resultContent(result)) > STALE_TOKENS_MIN;

/**
 * Returns the history with a note in the place of each successful result whose call's id is in `stubs`. The note names the
 * file, and says that it can be read again.
 */
export const withStubs = (units: readonly HistoryUnit[], stubs: ReadonlySet<string>): HistoryUnit[] =>
  stubs.size === 0
    ? [...units]
    : units.map((unit) =>
        unit.role === 'user'
          ? unit
          : {
              ...unit,
              parts: unit.parts.map((part) =>
                part.type === 'tool-call' && stubs.has(part.toolCallId) ? stubOf(part) : part,
              ),
            },
      );

function stubOf(part: ToolCallPart): ToolCallPart {
  const { result } = part;
  if (result?.type !== 'tool-result') return part;
  const path = result.files?.[0]?.path ?? 'the file';
  const content = `[This result is out of date and was left out to save room: ${path} was read again or changed later. To see what it contains now, read it again.]`;
  return { ...part, result: { ...result, output: { content } } };
}

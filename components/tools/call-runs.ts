import type { ToolCallPart } from '#lib/messages/message.ts';

/** The number of finished reads in a row from which they are folded. */
const FOLD_READS_FROM = 3;

/** The number of calls in a row from which finished ones are folded whatever they did, except for the last call. */
export const FOLD_ALL_FROM = 13;

/** How many calls are folded into one line. */
export const FOLD_MAX = 25;

/** A call that is shown as a card, or several that are folded into a line. */
export type CallRun = { type: 'card'; call: ToolCallPart } | { type: 'reads' | 'calls'; calls: ToolCallPart[] };

/**
 * Divides consecutive calls into cards and folded runs. `isRead`: whether a call's tool only reads files. `isOpen`: whether
 * the user has opened its card, which then stays where it is.
 */
export function callRuns(
  calls: readonly ToolCallPart[],
  isRead: (call: ToolCallPart) => boolean,
  isOpen: (call: ToolCallPart) => boolean,
): CallRun[] {
  const foldsAll = calls.length >= FOLD_ALL_FROM;
  const folds = (call: ToolCallPart): boolean => {
    if (call.result === undefined || isOpen(call)) return false;
    return foldsAll ? call !== calls.at(-1) : call.result.type === 'tool-result' && isRead(call);
  };
  const runs: CallRun[] = [];
  let run: ToolCallPart[] = [];
  const end = () => {
    const areReads = run.every((call) => call.result?.type === 'tool-result' && isRead(call));
    if (run.length >= FOLD_READS_FROM) runs.push({ type: areReads ? 'reads' : 'calls', calls: run });
    else for (const call of run) runs.push({ type: 'card', call });
    run = [];
  };
  for (const call of calls) {
    if (folds(call)) {
      run.push(call);
      if (run.length === FOLD_MAX) end();
    } else {
      end();
      runs.push({ type: 'card', call });
    }
  }
  end();
  return runs;
}

/** How often each tool was called, the most frequent first. */
export function countTools(calls: readonly ToolCallPart[]): [toolName: string, times: number][] {
  const counts = new Map<string, number>();
  for (const { toolName } of calls) counts.set(toolName, (counts.get(toolName) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

import type { ToolCallPart } from '#lib/messages/message.ts';

/** The number of finished reads in a row from which they are folded. */
const FOLD_READS_FROM = 3;

/** The number of calls in a row from which finished calls of all tools are folded, except for the last call. */
export const FOLD_ALL_FROM = 13;

/** The maximum number of calls that are folded into one line. */
export const FOLD_MAX = 25;

/**
 * A call that is shown as a card, or several that are folded into a line. `reads`: all of these have succeeded and only read
 * files.
 */
export type CallRun = { type: 'card'; call: ToolCallPart } | { type: 'reads' | 'calls'; calls: ToolCallPart[] };

/**
 * Divides consecutive calls into cards and folded runs of `FOLD_READS_FROM` to `FOLD_MAX` calls. Successful reads in a row are
 * folded; with `FOLD_ALL_FROM` calls or more, so are all finished calls but the last. `isRead`: whether a call's tool only
 * reads files. `isOpen`: whether the user has opened its card, which then stays where it is.
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

/** The number of a tool's calls (`times`), and of their different targets (`things`). */
interface ToolCount {
  toolName: string;
  times: number;
  things: number;
}

/**
 * Counts, for each tool, its calls (`times`), and the different things that they are about (`things`), which `targetOf`
 * returns, such as a file. The tool with the most calls comes first.
 */
export function countTools(calls: readonly ToolCallPart[], targetOf: (call: ToolCallPart) => unknown): ToolCount[] {
  const counts = Map.groupBy(calls, ({ toolName }) => toolName);
  return [...counts]
    .map(([toolName, own]) => ({ toolName, times: own.length, things: new Set(own.map(targetOf)).size }))
    .sort((a, b) => b.times - a.times);
}

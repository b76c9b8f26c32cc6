import type { Message } from '#lib/messages/message.ts';

interface Position {
  /** The index of the row that has the focus; -1 if none has. */
  focused: number;
  /** The index of the row at the top of the viewport. */
  top: number;
  /** Whether a part of the row at the top is above the viewport. */
  isCut: boolean;
}

/**
 * The index of the row to go to: the one after (1) or before (-1) the row `focused`, or that row itself at an end; the first
 * or the last row if none has the focus (-1). With `questions`, the nearest row in that direction with a message of the
 * user, seen from the focused row or else from the row at the top (`top`), which itself is the previous one if its beginning
 * is out of view (`isCut`). Undefined if there is no such row.
 */
export function nextRow(
  branch: readonly Message[],
  { focused, top, isCut }: Position,
  step: 1 | -1,
  only?: 'questions',
): number | undefined {
  if (only === undefined) {
    const next = focused === -1 ? (step === 1 ? 0 : branch.length - 1) : focused + step;
    return branch.length === 0 ? undefined : Math.max(0, Math.min(branch.length - 1, next));
  }
  // A question that is cut at the top is the previous one.
  const from = focused === -1 ? (step === -1 && isCut ? top + 1 : top) : focused;
  for (let index = from + step; index >= 0 && index < branch.length; index += step)
    if (branch[index]?.role === 'user') return index;
  return undefined;
}

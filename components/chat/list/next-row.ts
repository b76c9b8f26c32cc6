import type { Message } from '#lib/messages/message.ts';

interface Position {
  /** The row that has the focus; -1 if none has. */
  focused: number;
  /** The row at the top of the viewport, and whether a part of it is above. */
  top: number;
  isCut: boolean;
}

/**
 * The row to go to from where the user is: the next (1) or previous (-1) one or, with `questions`, message of the user.
 * Without the focus, the user is at the list's end, or for questions at what is in view.
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

import type { Conversation } from '#components/hooks/conversation.ts';
import { hiddenTextOf } from '#components/ui/windowed-text.ts';
import type { OutlineEntry } from '../markdown/outline.ts';

/** The frames that are waited for a heading to be rendered. */
const SHOW_FRAMES = 60;
/** The frames for which a heading is held at the top, because what is around it may still be rendered. */
const SETTLE_FRAMES = 6;

/**
 * Scrolls to a heading of a message and gives it the focus, wherever in the thread it is. Resolves with whether it was found.
 */
export async function showHeading(
  conversation: Pick<Conversation, 'list'>,
  messageId: string,
  { group, block, ordinal }: OutlineEntry,
): Promise<boolean> {
  const row = await conversation.list?.show(messageId);
  if (row === undefined) return false;
  let settled = 0;
  for (let frame = 0; frame < SHOW_FRAMES && settled < SETTLE_FRAMES; frame++) {
    const unrendered = row.querySelector(`[data-group="${CSS.escape(group)}"]`);
    if (unrendered !== null) hiddenTextOf(unrendered)?.show();
    const heading = row.querySelectorAll<HTMLElement>(`[data-block="${CSS.escape(block)}"]`)[ordinal];
    if (heading !== undefined) {
      conversation.list?.leaveEnd();
      heading.scrollIntoView({ block: 'start' });
      if (settled++ === 0) heading.focus({ preventScroll: true });
    }
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return settled > 0;
}

import { expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { keyboard, mouse } from '#components/test/browser.ts';

export const feed = page.getByRole('feed', { name: 'Messages' });
export const articles = page.getByRole('article');
export const toLatest = page.getByRole('button', { name: 'Scroll to the latest message' });
/** The bar that finds text in the thread. Vitest doesn't know that `search` elements have that role. */
export const findBar = page.locate('search[aria-label="Find in thread"]');

export const questionOf = (n: number): Locator =>
  page.getByRole('article', { name: 'You' }).filter({ hasText: `Question ${n}:` });
export const answerOf = (n: number): Locator =>
  page.getByRole('article', { name: 'Assistant' }).filter({ hasText: `Answer ${n}.` });

/** Returns the element that scrolls the conversation. */
export async function scroller(): Promise<HTMLElement> {
  const found = (await feed.findElement()).parentElement?.parentElement;
  if (!found) throw new Error('The conversation is in nothing that scrolls.');
  return found;
}

export const scrollTop = async (): Promise<number> => (await scroller()).scrollTop;

/** Returns a locator of the same message, which still finds its row after it was out of the document. */
export async function sameRow(row: Locator): Promise<Locator> {
  const { messageId } = (await row.findElement()).dataset;
  return page.locate(`[data-message-id="${messageId}"]`);
}

/** Returns the distance of a row from the top of the element that scrolls it, in pixels. */
export async function topOf(row: Locator): Promise<number> {
  const element = await row.findElement();
  return element.getBoundingClientRect().top - (await scroller()).getBoundingClientRect().top;
}

/** Moves the mouse over the conversation. */
export async function hoverConversation(): Promise<void> {
  const { left, top, width, height } = (await scroller()).getBoundingClientRect();
  await mouse.move(left + width / 2, top + height / 2);
}

/** Turns the mouse wheel over the conversation, in steps. Distances are in CSS pixels; negative ones go up. */
export async function wheel(distance: number, step = 1_000): Promise<void> {
  await hoverConversation();
  const turn = Math.sign(distance) * step;
  for (let moved = 0; Math.abs(moved) < Math.abs(distance); moved += turn) await mouse.wheel(0, turn);
}

/** Opens the bar that finds text in the thread, and types `text`. */
export async function findInThread(text: string): Promise<void> {
  await keyboard.press('ControlOrMeta+f');
  await expect.element(findBar.getByRole('textbox')).toHaveFocus();
  await keyboard.type(text);
}

/** The message in the middle of the conversation, or the next one below. */
export async function readRow(): Promise<Locator> {
  const { left, top, width, height } = (await scroller()).getBoundingClientRect();
  // There may be a gap between two messages.
  for (let y = top + height / 2; y < top + height; y += 10) {
    const row = document.elementFromPoint(left + width / 2, y)?.closest<HTMLElement>('[data-message-id]');
    if (row) return page.locate(`[data-message-id="${row.dataset.messageId}"]`);
  }
  throw new Error('There is no message in the middle of the conversation.');
}

import type { Locator, Page } from '@playwright/test';

const feedOf = (page: Page): Locator => page.getByRole('feed', { name: 'Messages' });
export const answerOf = (page: Page, n: number): Locator =>
  page.getByRole('article', { name: 'Assistant' }).filter({ hasText: `Answer ${n}.` });

/** Returns the element that scrolls the conversation. */
export const scrollerOf = (page: Page): Locator => feedOf(page).locator('xpath=../..');

/** Returns the place where a row begins, from the top of the element that scrolls it, in pixels. */
export const topOf = (row: Locator): Promise<number> =>
  row.evaluate((element) => {
    const scroller = element.closest('[role="feed"]')?.parentElement?.parentElement;
    return element.getBoundingClientRect().top - (scroller?.getBoundingClientRect().top ?? 0);
  });

/** Lets the page draw that many frames. */
export const frames = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (left) => {
    for (let frame = 0; frame < left; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, count);

/** Turns the wheel over the conversation, in steps. */
export async function wheel(page: Page, distance: number): Promise<void> {
  await scrollerOf(page).hover();
  const step = Math.sign(distance) * 1_000;
  for (let moved = 0; Math.abs(moved) < Math.abs(distance); moved += step) await page.mouse.wheel(0, step);
}

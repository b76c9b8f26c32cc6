import type { Locator, Page } from '@playwright/test';
import { answerOf, frames, scrollerOf, topOf, wheel } from './lib/conversation.ts';
import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';
import { longThread } from './lib/stored-threads.ts';
import { StudioPage } from './lib/studio-page.ts';

/** The message in the middle of the conversation, or the next one below. */
async function rowInMiddle(page: Page): Promise<Locator> {
  const id = await scrollerOf(page).evaluate((scroller) => {
    const { left, top } = scroller.getBoundingClientRect();
    // There may be a gap between two messages.
    for (let y = top + scroller.clientHeight / 2; y < top + scroller.clientHeight; y += 10) {
      const found = document.elementFromPoint(left + scroller.clientWidth / 2, y);
      const row = found?.closest<HTMLElement>('[data-message-id]');
      if (row) return row.dataset.messageId;
    }
    return undefined;
  });
  return page.locator(`[data-message-id="${id}"]`);
}

test('a reader who has scrolled up stays there when another tab sends a message', async ({
  page,
  studio,
  bench,
  context,
}) => {
  await studio.open({ threads: [longThread('long', 60)], thread: 'long', settings: { defaultModel: 'scripted' } });
  await expect(answerOf(page, 30)).toBeInViewport();
  const second = new StudioPage(await context.newPage());
  await second.page.goto(page.url());
  await second.page.getByRole('button', { name: 'Continue here' }).click();
  await expect(page.getByRole('button', { name: 'Continue here' })).toBeVisible();
  await page.bringToFront();
  await wheel(page, -5_000);
  await frames(page, 20);
  const row = await rowInMiddle(page);
  const before = await topOf(row);
  const question = prompt('From there');
  bench.model.script(question, [{ text: 'An answer for the other tab.' }]);
  await second.say(question);
  await second.settled(31);
  await expect(page.locator('[aria-setsize="62"]').first()).toBeAttached();
  await frames(page, 20);
  expect(Math.abs((await topOf(row)) - before)).toBeLessThanOrEqual(1);
});

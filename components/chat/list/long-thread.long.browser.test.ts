import { describe, expect, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { copiedBy, emulateMedia, focus, frames, keyboard } from '#components/test/browser.ts';
import { test } from '#components/test/studio-test.ts';
import { longThread } from '#e2e/lib/stored-threads.ts';
import { answerOf, articles, questionOf, scrollTop, toLatest, topOf, wheel } from '../test/conversation.ts';

describe('a thread of 300 messages', () => {
  test.beforeEach(async ({ studio }) => {
    await studio.open({ threads: [longThread('other', 300), longThread('long', 300)], thread: 'long' });
    await expect.element(answerOf(150)).toBeInViewport();
    await focus(studio.message);
  });

  test('can be scrolled to its beginning, and back with a button', { timeout: 60_000 }, async () => {
    await expect
      .poll(
        async () => {
          await wheel(-20_000, 4_000);
          return scrollTop();
        },
        { timeout: 40_000 },
      )
      .toBe(0);
    await expect.element(questionOf(1)).toBeInViewport();
    expect(articles.length).toBeLessThan(20);
    await toLatest.click();
    await expect.element(page.getByText('That was answer 150.')).toBeInViewport();
    await expect.element(toLatest).not.toBeInTheDocument();
  });

  test('is gone through by key, message by message and question by question', async () => {
    await keyboard.press('Alt+ArrowUp');
    await expect.element(answerOf(150)).toHaveFocus();
    for (let n = 0; n < 40; n++) await keyboard.press('Alt+ArrowUp');
    await expect.element(answerOf(130)).toHaveFocus();
    await expect.element(answerOf(130)).toBeInViewport();
    await keyboard.press('Alt+Shift+ArrowUp');
    await expect.element(questionOf(130)).toHaveFocus();
    await keyboard.press('Alt+Shift+ArrowUp');
    await expect.element(questionOf(129)).toHaveFocus();
    await keyboard.press('Alt+Shift+ArrowDown');
    await keyboard.press('Alt+Shift+ArrowDown');
    await expect.element(questionOf(131)).toHaveFocus();
    await expect.element(questionOf(131)).toBeInViewport();
    // A row with the focus stays in the document.
    await wheel(20_000);
    await expect.element(questionOf(131)).toHaveFocus();
  });

  test('is shown at what was found, even if it was left elsewhere', async ({ studio }) => {
    await studio.threads.getByRole('link', { name: 'Thread other' }).click();
    await expect.element(answerOf(150)).toBeInViewport();
    await wheel(-20_000);
    await expect.element(answerOf(150)).not.toBeInTheDocument();
    await studio.threads.getByRole('link', { name: 'Thread long' }).click();
    await expect.element(answerOf(150)).toBeInViewport();
    await page.getByRole('searchbox', { name: 'Search threads' }).fill('note 60 about');
    const results = page.getByRole('region', { name: 'In messages' });
    await results.getByRole('button', { name: 'Note 60 about the call' }).last().click();
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveText('Thread other');
    await expect.element(page.getByText('Note 60 about the call').last()).toBeInViewport();
    // More than those for which a restored place is held.
    await frames(40);
    await expect.element(page.getByText('Note 60 about the call').last()).toBeInViewport();
  });

  test('is printed as a whole', async ({ studio }) => {
    onTestFinished(() => emulateMedia({ media: 'screen' }));
    dispatchEvent(new Event('beforeprint'));
    await emulateMedia({ media: 'print' });
    await expect.element(articles).toHaveLength(300);
    // One below the other, on paper, and nothing beside them.
    expect((await topOf(answerOf(150))) - (await topOf(questionOf(1)))).toBeGreaterThan(30_000);
    await expect.element(studio.threads).not.toBeInTheDocument();
    await expect.element(studio.message).not.toBeInTheDocument();
    await emulateMedia({ media: 'screen' });
    dispatchEvent(new Event('afterprint'));
    await expect.poll(() => articles.length).toBeLessThan(20);
    await expect.element(page.getByText('That was answer 150.')).toBeInViewport();
  });

  test('is copied from where the selection begins to where it ends', async () => {
    await expect.element(page.getByText('That was answer 150.')).toBeInViewport();
    await keyboard.press('Alt+ArrowUp');
    for (let n = 0; n < 40; n++) await keyboard.press('Alt+ArrowUp');
    await answerOf(130)
      .getByText('Here is what I found')
      .click({ position: { x: 2, y: 5 } });
    await toLatest.click();
    await expect.element(page.getByText('That was answer 150.')).toBeInViewport();
    await page.getByText('That was answer 150.').click({ modifiers: ['Shift'], position: { x: 60, y: 8 } });
    const copied = await copiedBy(() => keyboard.press('ControlOrMeta+c'));
    expect(copied).not.toContain('Question 130:');
    expect(copied).toContain('Question 140:');
    expect(copied.match(/That was answer \d+\./g)).toHaveLength(20);
    expect(copied).toMatch(/\nThat w\w*$/);
  });
});

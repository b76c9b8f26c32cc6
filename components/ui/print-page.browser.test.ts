import { expect, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { articles } from '#components/chat/test/conversation.ts';
import { emulateMedia, keyboard } from '#components/test/browser.ts';
import { showAnswer } from '#components/test/show-answer.ts';
import { test } from '#components/test/studio-test.ts';
import { longThread } from '#e2e/lib/stored-threads.ts';

test('the command prints the whole thread once all of it is there, and then shows it as before', async ({ studio }) => {
  await studio.open({ threads: [longThread('long', 60)], thread: 'long' });
  await expect.element(page.getByText('That was answer 30.')).toBeInViewport();
  /** The numbers of messages, and of views that are still being loaded, whenever the page is printed. */
  const printed: [number, number][] = [];
  vi.spyOn(window, 'print').mockImplementation(() => {
    printed.push([articles.length, document.querySelectorAll('main [data-loading-view]').length]);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await studio.message.click();
  await keyboard.type('/print');
  await expect.element(page.getByRole('option', { name: /Print thread/ })).toBeVisible();
  await keyboard.press('Enter');
  await expect.poll(() => printed).toEqual([[60, 0]]);
  await expect.poll(() => articles.length).toBeLessThan(20);
});

test('a print has what was said, with the addresses of links, and none of the controls', async ({ studio }) => {
  await showAnswer(
    studio,
    'See [the docs](https://a.example/docs) and https://b.example.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```js\n1\n```',
  );
  await expect.element(page.getByText('the docs')).toBeVisible();
  onTestFinished(() => emulateMedia({ media: 'screen' }));
  await emulateMedia({ media: 'print' });
  const address = (link: string) =>
    getComputedStyle(page.getByRole('link', { name: link }).element(), '::after').content;
  expect([address('the docs'), address('https://b.example')]).toEqual(['" (https://a.example/docs)"', 'none']);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const control of ['button', 'textbox', 'combobox', 'navigation', 'meter'] as const)
    expect(page.getByRole(control).query(), control).toBeNull();
  await expect.element(page.getByRole('columnheader', { name: 'a' })).toBeVisible();
});

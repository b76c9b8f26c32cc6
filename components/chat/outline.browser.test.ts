import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard, press } from '#components/test/browser.ts';
import { showAnswer } from '#components/test/show-answer.ts';
import { test } from '#components/test/studio-test.ts';
import { assistantMessage, storedThread, userMessage } from '#e2e/lib/stored-threads.ts';
import { scroller } from './test/conversation.ts';

const section = (n: number): string => `## Section ${n}\n\n${'Some words of it. '.repeat(30)}\n\n- one\n- two`;
const sections = (count: number): string => Array.from({ length: count }, (_, n) => section(n)).join('\n\n');

const outline = () => page.getByRole('button', { name: 'Outline' });

/** The distance of the heading with the focus from the top of the conversation, in CSS pixels. */
const focusedTop = async (): Promise<number> => {
  const top = document.activeElement?.getBoundingClientRect().top ?? Number.NaN;
  return Math.round(top - (await scroller()).getBoundingClientRect().top);
};

test('the outline of a long answer lists its headings, and leads to one of them', async ({ studio }) => {
  await showAnswer(studio, sections(8));
  await press(outline(), 'Enter');
  await expect.element(page.getByRole('menuitem')).toHaveLength(8);
  await page.getByRole('menuitem', { name: 'Section 2' }).click();
  await expect.element(page.getByRole('heading', { name: 'Section 2' })).toHaveFocus();
  await expect.poll(focusedTop).toBeLessThan(40);
  expect(await focusedTop()).toBeGreaterThanOrEqual(0);
});

test('the outline leads to headings that are not rendered yet, also those of the same name', async ({ studio }) => {
  const text = `${sections(200)}\n\n## Section 3\n\nThe other one.\n\n${sections(20)}`;
  const more = Array.from({ length: 20 }, (_, n) => [
    userMessage(`more-q${n}`, 'More?'),
    assistantMessage(`more-a${n}`, [{ type: 'text', text: 'No.' }]),
  ]).flat();
  const thread = storedThread('book', [
    userMessage('q1', 'Write a book'),
    assistantMessage('a1', [{ type: 'text', text }]),
    ...more,
  ]);
  await studio.open({ threads: [thread], thread: 'book' });
  await expect.element(page.getByText('No.').last()).toBeInViewport();
  await studio.answers.last().click();
  await keyboard.press('ControlOrMeta+Home');
  await outline().click();
  await page.getByRole('menuitem', { name: 'Section 3', exact: true }).nth(1).click();
  await expect.element(page.getByText('The other one.')).toBeInViewport();
  await expect.poll(focusedTop).toBeLessThan(40);
  await outline().click();
  await page.getByRole('menuitem', { name: 'Section 100', exact: true }).click();
  await expect.element(page.getByRole('heading', { name: 'Section 100', exact: true })).toHaveFocus();
  await expect.poll(focusedTop).toBeLessThan(40);
  expect(await focusedTop()).toBeGreaterThanOrEqual(0);
});

test('a short answer, and one with few headings, has no outline', async ({ studio }) => {
  await showAnswer(studio, '# a\n\n# b\n\n# c\n\n# d');
  await expect.element(page.getByRole('button', { name: 'More actions' })).toBeVisible();
  expect(outline().query()).toBeNull();
  await showAnswer(studio, sections(3));
  await expect.element(page.getByRole('button', { name: 'More actions' })).toBeVisible();
  expect(outline().query()).toBeNull();
});

test('keys go through the outline, and Esc leaves it', async ({ studio }) => {
  await showAnswer(studio, sections(5));
  await press(outline(), 'ArrowDown');
  await keyboard.press('End');
  await expect.element(page.getByRole('menuitem', { name: 'Section 4' })).toHaveFocus();
  await keyboard.press('Escape');
  await expect.element(outline()).toHaveFocus();
});

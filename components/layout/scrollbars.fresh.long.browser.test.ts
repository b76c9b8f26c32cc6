import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { emulateMedia } from '#components/test/browser.ts';
import { showAnswer } from '#components/test/show-answer.ts';
import { test } from '#components/test/studio-test.ts';

loadEditor();

const CODE = `\`\`\`js\n${Array.from({ length: 60 }, (_, n) => `const line${n} = 1;`).join('\n')}\n\`\`\``;

/** The elements that scroll up and down, apart from the editor’s, which draws its own scrollbars. */
const scrollers = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('body *')].filter(
    (element) =>
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowY) && element.closest('.monaco-editor') === null,
  );

test('all that scrolls has a thin scrollbar, and keeps room for it', async ({ studio }) => {
  await showAnswer(studio, `Here:\n\n${CODE}`, { '/a.txt': 'alpha' });
  await page.getByRole('button', { name: 'Settings', exact: true }).first().click();
  await expect.element(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  const shown = scrollers().map((element) => ({ element, style: getComputedStyle(element) }));
  expect(shown.length).toBeGreaterThan(4);
  expect(shown.filter(({ style }) => style.scrollbarWidth !== 'thin').map(({ element }) => element)).toEqual([]);
  expect(shown.filter(({ style }) => style.scrollbarGutter === 'auto').map(({ element }) => element.className)).toEqual(
    [],
  );
});

test('scrollbars have the colors of the theme, and the system’s with high contrast', async ({ studio }) => {
  await studio.open();
  const color = () => getComputedStyle(document.body).getPropertyValue('scrollbar-color');
  const light = color();
  await emulateMedia({ colorScheme: 'dark' });
  await expect.poll(color).not.toBe(light);
  expect(color()).toContain('rgba(0, 0, 0, 0)');
  await emulateMedia({ forcedColors: 'active' });
  await expect.poll(color).toBe('auto');
});

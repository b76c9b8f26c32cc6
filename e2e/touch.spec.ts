import type { Page } from '@playwright/test';
import { expect, test } from './lib/fixtures.ts';
import { readCall, writeCall } from './lib/prompt.ts';

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

const SECTIONS = ['General', 'Models', 'Permissions', 'Tools', 'Editor', 'Shortcuts', 'Data', 'About'];

const APP = 'export const App = () => <h1>Hello</h1>;\n';

const ANSWER = `See \`/src/App.tsx\` and [the site](https://example.com).

\`\`\`ts
export const one = 1;
\`\`\`

| Case | Result |
| --- | ---: |
| One | 1 |
`;

/** Controls that are smaller than a finger, without links in the middle of a sentence. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const pressable =
      'button:not([data-inline]), select, input, summary, [role="menuitem"], [role="option"], [role="treeitem"], a';
    return [...document.querySelectorAll<HTMLElement>(pressable)].flatMap((element) => {
      if (element.closest('.monaco-editor') !== null || !element.checkVisibility({ opacityProperty: true })) return [];
      if (element.matches('a') && getComputedStyle(element).display === 'inline') return [];
      // A link may cover what it is in.
      const isCover = getComputedStyle(element, '::after').position === 'absolute';
      const target = element.closest('label') ?? (isCover ? element.offsetParent : null) ?? element;
      const { width, height } = target.getBoundingClientRect();
      if (width <= 1 || (height >= 43.9 && width >= 43.9)) return [];
      const name = element.ariaLabel ?? element.textContent;
      return [`${name.slice(0, 60)}: ${Math.round(width)} × ${Math.round(height)}`];
    });
  });

/** The width of a page that is wider than the screen. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document.documentElement.scrollWidth > innerWidth
      ? [`The page is ${document.documentElement.scrollWidth} wide`]
      : [],
  );

/** Entries of lists whose contents are higher than they are, and so lie over the next one. */
const overlapping = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('li, [role="treeitem"], [role="option"]')].flatMap((one) =>
      one.scrollHeight > one.clientHeight + 1 && one.clientHeight > 0 && getComputedStyle(one).overflowY === 'visible'
        ? [`${one.textContent.slice(0, 60)}: ${one.scrollHeight} in ${one.clientHeight}`]
        : [],
    ),
  );

async function expectTouchable(page: Page, view: string): Promise<void> {
  expect.soft(await overlapping(page), view).toEqual([]);
  expect.soft(await tooSmall(page), view).toEqual([]);
  expect.soft(await cutOff(page), view).toEqual([]);
}

test('on a touch screen, text is 16 pixels tall and everything is large enough for a finger', async ({
  studio,
  bench,
  page,
}) => {
  bench.model.script('Change it', [
    { text: 'First a look.', calls: readCall('/src/App.tsx') },
    { calls: writeCall('/src/App.tsx', APP.replace('Hello', 'Bye')) },
    { text: ANSWER },
  ]);
  await studio.open({
    settings: { defaultModel: 'scripted' },
    files: { '/src/App.tsx': APP, '/README.md': '# Hello\n', '/index.html': '<h1>Hello</h1>' },
  });
  await expect(studio.message).toHaveCSS('font-size', '16px');
  await expectTouchable(page, 'an empty thread');

  await studio.openTools();
  await expectTouchable(page, 'the panel of tools');
  await studio.toolsPanel.getByRole('switch', { name: 'Review changes before they’re written' }).click();
  await page.keyboard.press('Escape');

  await studio.message.fill('Change it');
  await studio.send.tap();
  await expect(page.getByRole('button', { name: 'Review changes…' })).toBeVisible();
  await expectTouchable(page, 'a question');
  await page.getByRole('button', { name: 'Review changes…' }).click();
  await expect(studio.editor.locator('.line-insert').first()).toBeVisible({ timeout: 20_000 });
  await expectTouchable(page, 'a review');
  await page.getByRole('button', { name: 'Write these changes' }).tap();
  await studio.settled();
  const pane = (name: string) => page.getByRole('tab', { name, exact: true });
  await expect(pane('Chat')).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.code-token').first()).toBeVisible();
  await expectTouchable(page, 'an answer');
  await page.getByRole('button', { name: 'Edit', exact: true }).tap();
  await expectTouchable(page, 'a message being edited');
  await page.getByRole('button', { name: 'Cancel' }).tap();
  await page.getByRole('button', { name: 'Thread options' }).tap();
  await expectTouchable(page, 'the options of a thread');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Model', exact: true }).tap();
  await expectTouchable(page, 'the choice of a model');
  await page.keyboard.press('Escape');

  await pane('Threads').tap();
  await expectTouchable(page, 'threads');
  await pane('Files').tap();
  await expectTouchable(page, 'files');
  await page.getByRole('button', { name: 'Options for /src', exact: true }).tap();
  await expectTouchable(page, 'the options of a folder');
  await page.keyboard.press('Escape');
  await studio.files.getByRole('treeitem', { name: 'README.md' }).tap();
  await expect(studio.editor.locator('.view-lines')).toContainText('Hello', { timeout: 20_000 });
  await expectTouchable(page, 'the editor');
  await pane('Preview').tap();
  await expect(page.getByRole('link', { name: 'Open in a new window' })).toBeVisible();
  await expectTouchable(page, 'the preview');
  await pane('Console').tap();
  await expectTouchable(page, 'the console');
});

test('on a touch screen, the settings are large enough for a finger', async ({ studio, page }) => {
  await studio.open({ settings: { defaultModel: 'scripted' } });
  await page.getByRole('tab', { name: 'Threads', exact: true }).tap();
  for (const section of SECTIONS) {
    await studio.openSettings(section);
    await expectTouchable(page, `settings ${section}`);
    await page.keyboard.press('Escape');
  }
});

import type { Page } from '@playwright/test';
import { expect, test } from './lib/fixtures.ts';
import { prompt, readCall, writeCall } from './lib/prompt.ts';
import { openSettings, type StudioPage } from './lib/studio-page.ts';

test.use({ colorScheme: 'light' });

/** Opens a file and waits until its text is shown. */
async function openFile(studio: StudioPage, name: string, text: string): Promise<void> {
  await studio.files.getByRole('treeitem', { name, exact: true }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText(text, { timeout: 20_000 });
}

/** Opens a file and gives it the focus. */
async function edit(studio: StudioPage, name: string, text: string): Promise<void> {
  await openFile(studio, name, text);
  await studio.editor.locator('.view-lines').click();
}

/** Changes something in the settings, which are closed afterwards. */
async function inSettings(page: Page, change: () => Promise<void>): Promise<void> {
  await openSettings(page, 'Editor');
  await change();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
}

/** The color of a word in an element. */
const colorOf = (page: Page, selector: string, word: string) =>
  page
    .locator(selector)
    .getByText(word, { exact: true })
    .first()
    .evaluate((element) => getComputedStyle(element).color);

test('the size of text and wrapping change in the open editor, and stay', async ({ studio, page }) => {
  await studio.open({ files: { '/long.txt': 'word '.repeat(200) } });
  await openFile(studio, 'long.txt', 'word');
  const lines = studio.editor.locator('.view-line');
  await expect(lines).toHaveCount(1);
  await expect(lines).toHaveCSS('font-size', '13px');
  await inSettings(page, async () => {
    await studio.choose('Font size', '18');
    await page.getByRole('switch', { name: 'Wrap long lines' }).click();
  });
  await expect(lines.first()).toHaveCSS('font-size', '18px');
  await expect.poll(() => lines.count()).toBeGreaterThan(3);
  await page.reload();
  await openFile(studio, 'long.txt', 'word');
  await expect(lines.first()).toHaveCSS('font-size', '18px');
  await expect.poll(() => lines.count()).toBeGreaterThan(3);
});

test('a tab is as wide as chosen, except in files with an indentation of their own', async ({ studio, page }) => {
  await studio.open({ files: { '/a.txt': 'a', '/b.txt': 'b', '/own.txt': 'a\n   b\n   c\n      d\n   e\n' } });
  const contentOf = async (path: string) => (await studio.workspace()).get(path);
  await edit(studio, 'a.txt', 'a');
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('Tab');
  await expect.poll(() => contentOf('/a.txt')).toBe('  a');
  await inSettings(page, () => studio.choose('Tab width', '8'));
  await edit(studio, 'b.txt', 'b');
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('Tab');
  await expect.poll(() => contentOf('/b.txt')).toBe('        b');
  await edit(studio, 'own.txt', 'd');
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('Tab');
  await expect.poll(() => contentOf('/own.txt')).toMatch(/^ {3}a/);
});

test('a file is formatted when the user saves it, and not when the model writes it', async ({
  studio,
  bench,
  page,
}) => {
  const question = prompt('Write it again');
  bench.model.script(question, [
    { calls: readCall('/a.ts') },
    { calls: writeCall('/a.ts', 'let b   =  2') },
    { text: 'Written.' },
  ]);
  await studio.open({ files: { '/a.ts': 'const a   =  1' } });
  const content = async () => (await studio.workspace()).get('/a.ts');
  await inSettings(page, () => page.getByRole('switch', { name: 'Format on save' }).click());
  await edit(studio, 'a.ts', 'const a');
  await page.keyboard.press('End');
  // The formatter comes with the language's service, which starts with the first file.
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+s');
    expect(await content()).toBe('const a = 1');
  }).toPass({ timeout: 30_000, intervals: [500] });
  // The cursor is still at the end.
  await page.keyboard.type(';');
  await expect.poll(content).toBe('const a = 1;');
  await page.keyboard.press('ControlOrMeta+s');
  await studio.say(question);
  await studio.settled();
  await expect.poll(content).toBe('let b   =  2');
  await expect(studio.editor.locator('.view-lines')).toContainText('let b');
  expect(await content()).toBe('let b   =  2');
});

test('code has the same colors in the conversation and in the editor', async ({ studio, bench, page }) => {
  const code = 'const text = "some"; // why';
  const question = prompt('Show code');
  bench.model.script(question, [{ text: `\`\`\`ts\n${code}\n\`\`\`` }]);
  await studio.open({ files: { '/a.ts': code } });
  await edit(studio, 'a.ts', 'const text');
  await studio.say(question);
  await studio.settled();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const word of ['const', '"some"', '// why']) {
      await expect(async () => {
        expect(await colorOf(page, '.view-line', word)).toBe(await colorOf(page, 'article pre', word));
      }).toPass({ timeout: 10_000 });
    }
  }
});

test('boxes of the editor are opaque, and follow the theme while they are open', async ({ studio, page }) => {
  await studio.open({ files: { '/a.txt': 'alphabet\nalpine\nal' } });
  await edit(studio, 'a.txt', 'alphabet');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Control+Space');
  const suggestions = page.locator('.suggest-widget');
  await expect(suggestions).toBeVisible();
  await expect(suggestions).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(suggestions).toHaveCSS('background-color', 'rgb(34, 34, 38)');
  await expect(studio.editor.locator('.monaco-editor-background').first()).toHaveCSS(
    'background-color',
    'rgb(24, 24, 27)',
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+F');
  const find = page.locator('.find-widget');
  await expect(find).toBeVisible();
  await expect(find).toHaveCSS('background-color', 'rgb(34, 34, 38)');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(find).toHaveCSS('background-color', 'rgb(255, 255, 255)');
});

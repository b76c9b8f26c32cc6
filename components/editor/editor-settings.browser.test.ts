import { expect, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { emulateMedia, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test } from '#components/test/studio-test.ts';
import { prompt, readCall, writeCall } from '#e2e/lib/prompt.ts';
import { loadEditor } from './test/load-editor.ts';

loadEditor();

/** Opens a file and gives it the focus. */
async function edit(studio: StudioPage, name: string, text: string): Promise<void> {
  await studio.openFile(name, text);
  await studio.editor.locate('.view-lines').click();
}

/** Changes something in the settings, which are closed afterwards. */
async function inSettings(studio: StudioPage, change: () => Promise<void>): Promise<void> {
  await studio.openSettings('Editor');
  await change();
  await keyboard.press('Escape');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
}

/** The color of a word in an element. */
const colorOf = (selector: string, word: string) =>
  getComputedStyle(page.locate(selector).getByText(word, { exact: true }).first().element()).color;

test('the size of text and wrapping change in the open editor, and stay', async ({ studio }) => {
  await studio.open({ files: { '/long.txt': 'word '.repeat(200) } });
  await studio.openFile('long.txt', 'word');
  const lines = studio.editor.locate('.view-line');
  await expect.element(lines).toHaveLength(1);
  await expect.element(lines).toHaveStyle({ fontSize: '13px' });
  await inSettings(studio, async () => {
    await studio.choose('Font size', '18');
    await page.getByRole('switch', { name: 'Wrap long lines' }).click();
  });
  await expect.element(lines.first()).toHaveStyle({ fontSize: '18px' });
  await expect.poll(() => lines.length).toBeGreaterThan(3);
  await studio.reopen();
  await studio.openFile('long.txt', 'word');
  await expect.element(lines.first()).toHaveStyle({ fontSize: '18px' });
  await expect.poll(() => lines.length).toBeGreaterThan(3);
});

test('a tab is as wide as chosen, except in files with an indentation of their own', async ({ studio }) => {
  await studio.open({ files: { '/a.txt': 'a', '/b.txt': 'b', '/own.txt': 'a\n   b\n   c\n      d\n   e\n' } });
  const contentOf = async (path: string) => (await studio.workspace()).get(path);
  await edit(studio, 'a.txt', 'a');
  await keyboard.press('ControlOrMeta+Home');
  await keyboard.press('Tab');
  await expect.poll(() => contentOf('/a.txt')).toBe('  a');
  await inSettings(studio, () => studio.choose('Tab width', '8'));
  await edit(studio, 'b.txt', 'b');
  await keyboard.press('ControlOrMeta+Home');
  await keyboard.press('Tab');
  await expect.poll(() => contentOf('/b.txt')).toBe('        b');
  await edit(studio, 'own.txt', 'd');
  await keyboard.press('ControlOrMeta+Home');
  await keyboard.press('Tab');
  await expect.poll(() => contentOf('/own.txt')).toMatch(/^ {3}a/);
});

test('a file is formatted when the user saves it, and not when the model writes it', async ({ studio }) => {
  const question = prompt('Write it again');
  await model.script(question, [
    { calls: readCall('/a.ts') },
    { calls: writeCall('/a.ts', 'let b   =  2') },
    { text: 'Written.' },
  ]);
  await studio.open({ files: { '/a.ts': 'const a   =  1' } });
  const content = async () => (await studio.workspace()).get('/a.ts');
  await inSettings(studio, () => page.getByRole('switch', { name: 'Format on save' }).click());
  await edit(studio, 'a.ts', 'const a');
  await keyboard.press('End');
  // The formatter comes with the language's service, which starts with the first file.
  await expect
    .poll(
      async () => {
        await keyboard.press('ControlOrMeta+s');
        return content();
      },
      { interval: 500 },
    )
    .toBe('const a = 1');
  // The cursor is still at the end.
  await keyboard.type(';');
  await expect.poll(content).toBe('const a = 1;');
  await keyboard.press('ControlOrMeta+s');
  await studio.say(question);
  await studio.settled();
  await expect.poll(content).toBe('let b   =  2');
  await expect.element(studio.editor.locate('.view-lines')).toContainText('let b');
  expect(await content()).toBe('let b   =  2');
});

test('code has the same colors in the conversation and in the editor', async ({ studio }) => {
  const code = 'const text = "some"; // why';
  const question = prompt('Show code');
  await model.script(question, [{ text: `\`\`\`ts\n${code}\n\`\`\`` }]);
  await studio.open({ files: { '/a.ts': code } });
  await edit(studio, 'a.ts', 'const text');
  await studio.say(question);
  await studio.settled();
  for (const colorScheme of ['light', 'dark'] as const) {
    await emulateMedia({ colorScheme });
    for (const word of ['const', '"some"', '// why'])
      await vi.waitFor(
        () => expect(colorOf('.view-line', word), `${word}, ${colorScheme}`).toBe(colorOf('article pre', word)),
        { timeout: 20_000 },
      );
  }
});

test('a file of one line has its colors although the page is never idle', async ({ studio }) => {
  await studio.open({ files: { '/a.ts': 'const text = 1;' } });
  const idle = vi.spyOn(window, 'requestIdleCallback').mockReturnValue(0);
  onTestFinished(() => idle.mockRestore());
  await edit(studio, 'a.ts', 'const text');
  const keyword = studio.editor.locate('.view-line').getByText('const', { exact: true });
  await expect.element(keyword).toBeVisible();
  const light = colorOf('.view-line', 'const');
  await emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => colorOf('.view-line', 'const')).not.toBe(light);
});

test('boxes of the editor are opaque, and follow the theme while they are open', async ({ studio }) => {
  await studio.open({ files: { '/a.txt': 'alphabet\nalpine\nal' } });
  await edit(studio, 'a.txt', 'alphabet');
  await keyboard.press('ControlOrMeta+End');
  await keyboard.press('Control+Space');
  const suggestions = page.locate('.suggest-widget');
  await expect.element(suggestions).toBeVisible();
  await expect.element(suggestions).toHaveStyle({ backgroundColor: 'rgb(255, 255, 255)' });
  await emulateMedia({ colorScheme: 'dark' });
  await expect.element(suggestions).toHaveStyle({ backgroundColor: 'rgb(34, 34, 38)' });
  await expect
    .element(studio.editor.locate('.monaco-editor-background').first())
    .toHaveStyle({ backgroundColor: 'rgb(24, 24, 27)' });
  await keyboard.press('Escape');
  await keyboard.press('ControlOrMeta+F');
  const find = page.locate('.find-widget');
  await expect.element(find).toBeVisible();
  await expect.element(find).toHaveStyle({ backgroundColor: 'rgb(34, 34, 38)' });
  await emulateMedia({ colorScheme: 'light' });
  await expect.element(find).toHaveStyle({ backgroundColor: 'rgb(255, 255, 255)' });
});

/** Dispatches a key press as on another keyboard layout. Returns false if something has handled it. */
const pressAs = (init: KeyboardEventInit & { keyCode: number }): boolean =>
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })) ??
  false;

test('keys that type characters on other layouts are no shortcuts, and Ctrl+S saves on all', async ({ studio }) => {
  await studio.open({ files: { '/a.js': 'one' } });
  await edit(studio, 'a.js', 'one');
  await expect.element(studio.editor.locate('.monaco-editor')).toHaveClass(/focused/);
  const letter = { code: 'KeyC', keyCode: 67, altKey: true };
  // As Alt types it in Poland. Nothing takes it away from the text.
  expect(pressAs({ ...letter, key: 'ć' })).toBe(true);
  // Without such a layout, it is Monaco's shortcut for a comment.
  expect(pressAs({ ...letter, key: 'c' })).toBe(false);
  // As on a Russian keyboard: the browser must not offer to save the page.
  expect(pressAs({ key: 'ы', code: 'KeyS', keyCode: 83, ctrlKey: true })).toBe(false);
  expect(pressAs({ key: 's', code: 'Semicolon', keyCode: 83, ctrlKey: true })).toBe(false);
});

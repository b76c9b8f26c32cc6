import { expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { focus, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt } from '#e2e/lib/prompt.ts';

/** The Enter that ends a composition, as each browser reports it. Safari reports it after the end of the composition. */
const LAST_KEYS = {
  'Chromium and Firefox': { key: 'Enter', keyCode: 229, isComposing: true },
  Safari: { key: 'Enter', keyCode: 229, isComposing: false },
} as const;

/** Ends a composition in a field, as every browser does, and checks that nothing but the text is there afterwards. */
async function compose(field: Locator, text: string): Promise<void> {
  await focus(field);
  for (const [browser, key] of Object.entries(LAST_KEYS)) {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }));
    await expect.element(field, { message: browser }).toHaveValue(text);
    await expect.element(field, { message: browser }).toHaveFocus();
  }
}

const box = (name: string | RegExp) => page.getByRole('textbox', { name });

test('the Enter that ends a composition sends, renames, chooses, and denies nothing', async ({ studio }) => {
  const [question, edited] = [prompt('計算'), prompt('もう一度')];
  await model.script(question, [{ calls: evalCall('6 * 7') }, { text: 'Done.' }]);
  await model.script(edited, [{ text: 'Again.' }]);
  await studio.open({ files: { '/notes.md': 'Mine.', '/a.txt': 'one' } });
  await expect.element(studio.files.getByRole('treeitem', { name: 'notes.md' })).toBeVisible();
  await studio.message.fill(question);
  await compose(studio.message, question);
  await expect.element(page.getByRole('article', { name: 'You' })).not.toBeInTheDocument();
  await keyboard.press('Enter');

  await page.getByRole('button', { name: 'Deny with a note…' }).click();
  await box(/^Note to the model/).fill('だめ');
  await compose(box(/^Note to the model/), 'だめ');
  await studio.allowOnce.click();
  await studio.settled();
  await expect.element(studio.call('browser_js_eval')).toHaveAttribute('data-state', 'done');

  await page.getByRole('button', { name: `Options for ${question}` }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await box('Title').fill('題名');
  await compose(box('Title'), '題名');
  await keyboard.press('Enter');
  await expect.element(studio.threads.getByRole('link', { name: '題名' })).toBeVisible();

  const own = page.getByRole('article', { name: 'You' });
  await own.hover();
  await own.getByRole('button', { name: 'Edit', exact: true }).click();
  await box('Edit message').fill(edited);
  await compose(box('Edit message'), edited);
  await keyboard.press('Enter');
  await studio.settled(2);
  await expect.element(studio.answers).toContainText('Again.');

  await page.getByRole('button', { name: 'Options for /a.txt' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await box('New name for a.txt').fill('新.txt');
  await compose(box('New name for a.txt'), '新.txt');
  await keyboard.press('Enter');
  await expect.element(studio.files.getByRole('treeitem', { name: '新.txt' })).toHaveFocus();

  await focus(studio.message);
  await keyboard.type('@no');
  await expect.element(page.getByRole('option', { name: /notes\.md/ })).toBeVisible();
  await compose(studio.message, '@no');
  await keyboard.press('Enter');
  await expect.element(studio.message).toHaveValue('@/notes.md ');
});

test('the Esc that ends a composition empties no field', async ({ studio }) => {
  await studio.open();
  const search = page.getByRole('searchbox', { name: 'Search threads' });
  await search.fill('検索');
  for (const isComposing of [true, false]) {
    const init = { key: 'Escape', keyCode: 229, isComposing, bubbles: true, cancelable: true };
    expect((await search.findElement()).dispatchEvent(new KeyboardEvent('keydown', init))).toBe(false);
  }
  await expect.element(search).toHaveValue('検索');
});

test('the Enter that ends a composition does not run the console’s line', async ({ studio }) => {
  await studio.open();
  await page.getByRole('tab', { name: 'Console' }).click();
  const line = box('Run JavaScript');
  await line.fill('"語"');
  await compose(line, '"語"');
  await keyboard.press('Enter');
  await expect.element(line).toHaveValue('');
});

import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';

const FILES = { '/src/App.tsx': 'export const App = 1;\n', '/notes.md': 'Mine.', '/big.txt': 'x'.repeat(100_000) };

test('@ completes files and folders; a small file goes along, a large one is referred to', async ({
  studio,
  bench,
  page,
}) => {
  const question = prompt('Explain');
  const sent = `${question} @/src/App.tsx and @/big.txt in @/src/ now`;
  bench.model.script(sent, [{ text: 'It is one.' }]);
  await studio.open({ files: FILES });
  await expect(studio.files.getByRole('treeitem', { name: 'notes.md' })).toBeVisible();
  await studio.message.focus();
  await page.keyboard.type(`${question} @App`);
  const list = page.getByRole('listbox', { name: 'Files and folders' });
  await expect(list.getByRole('option')).toContainText('App.tsx');
  await page.keyboard.press('Enter');
  await expect(studio.message).toHaveValue(`${question} @/src/App.tsx `);
  await expect(page.getByText('/src/App.tsx', { exact: true })).toBeVisible();
  await page.keyboard.type('and @big');
  await page.keyboard.press('Enter');
  await page.keyboard.type('in @src');
  await expect(list.getByRole('option').first()).toContainText('src');
  await page.keyboard.press('Enter');
  await page.keyboard.type('now');
  await expect(list).toBeHidden();
  await expect(studio.message).toHaveValue(sent);
  await page.keyboard.press('Enter');
  await studio.settled();
  const content = JSON.stringify(bench.model.requests.at(-1)?.messages.at(-1)?.content);
  expect(content).toContain('export const App = 1;');
  expect(content).not.toContain('xxxxxxxxxx');
});

test('a message that completes nothing is sent by Enter; Esc closes the list and keeps the text', async ({
  studio,
  bench,
  page,
}) => {
  const question = prompt('Mail me@nowhere or @nobody');
  bench.model.script(question, [{ text: 'No.' }]);
  await studio.open({ files: FILES });
  await studio.message.focus();
  await page.keyboard.type('@no');
  await expect(page.getByRole('listbox', { name: 'Files and folders' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(studio.message).toHaveValue('@no');
  await studio.message.fill('');
  await page.keyboard.type(question);
  await page.keyboard.press('Enter');
  await studio.settled();
  await expect(studio.answers.last()).toContainText('No.');
});

test('/ offers commands in an otherwise empty message, and runs the chosen one', async ({ studio, page }) => {
  await studio.open({ files: FILES });
  await studio.message.focus();
  await page.keyboard.type('/sett');
  const list = page.getByRole('listbox', { name: 'Commands' });
  await expect(list.getByRole('option', { name: /settings/i }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(studio.message).toHaveValue('');
  await studio.message.focus();
  await page.keyboard.type('/review');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Tools: .*Reviewing changes/ })).toBeVisible();
  // A path is no command.
  await page.keyboard.type('/src/App.tsx');
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(studio.message).toHaveValue('/src/App.tsx');
});

test('the panel of tools says what is on, in words, and works by keyboard', async ({ studio, bench, page }) => {
  const question = prompt('Which tools?');
  bench.model.script(question, [{ text: 'None of the files.' }]);
  await studio.open();
  const button = page.getByRole('button', { name: 'Tools: Browser, Files' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(studio.toolsPanel.getByRole('switch', { name: 'Browser' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Tools: Browser', exact: true })).toBeFocused();
  await studio.say(question);
  await studio.settled();
  const names = bench.model.requestsFor(question)[0]?.tools?.map(({ function: { name } }) => name) ?? [];
  expect(names).toContain('browser_js_eval');
  expect(names).not.toContain('read_file');
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('text is 16 pixels tall and everything is large enough for a finger', async ({ studio, page }) => {
    await studio.open();
    await expect(studio.message).toHaveCSS('font-size', '16px');
    for (const name of ['Attach files', 'Tools: Browser, Files', 'Send']) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      expect(box?.height, name).toBeGreaterThanOrEqual(44);
      expect(box?.width, name).toBeGreaterThanOrEqual(44);
    }
  });
});

import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { focus, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

const FILES = { '/src/App.tsx': 'export const App = 1;\n', '/notes.md': 'Mine.', '/big.txt': 'x'.repeat(100_000) };

test('@ completes files and folders; a small file goes along, a large one is referred to', async ({ studio }) => {
  const question = prompt('Explain');
  const sent = `${question} @/src/App.tsx and @/big.txt in @/src/ now`;
  const asked = `${sent}Attached file /src/App.tsx:\n\n${FILES['/src/App.tsx']}`;
  await model.script(asked, [{ text: 'It is one.' }]);
  await studio.open({ files: FILES });
  await expect.element(studio.files.getByRole('treeitem', { name: 'notes.md' })).toBeVisible();
  await focus(studio.message);
  await keyboard.type(`${question} @App`);
  const list = page.getByRole('listbox', { name: 'Files and folders' });
  await expect.element(list.getByRole('option')).toContainText('App.tsx');
  await keyboard.press('Enter');
  await expect.element(studio.message).toHaveValue(`${question} @/src/App.tsx `);
  await expect.element(page.getByText('/src/App.tsx', { exact: true })).toBeVisible();
  await keyboard.type('and @big');
  await expect.element(list.getByRole('option').first()).toContainText('big');
  await keyboard.press('Enter');
  await keyboard.type('in @src');
  await expect.element(list.getByRole('option').first()).toContainText('src');
  await keyboard.press('Enter');
  await keyboard.type('now');
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(studio.message).toHaveValue(sent);
  await keyboard.press('Enter');
  await studio.settled();
  await expect.element(studio.answers).toContainText('It is one.');
  const [request] = await model.requestsFor(asked);
  const content = JSON.stringify(request?.messages.at(-1)?.content);
  expect(content).toContain('export const App = 1;');
  expect(content).not.toContain('xxxxxxxxxx');
});

test('a message that completes nothing is sent by Enter; Esc closes the list and keeps the text', async ({
  studio,
}) => {
  const question = prompt('Mail me@nowhere or @nobody');
  await model.script(question, [{ text: 'No.' }]);
  await studio.open({ files: FILES });
  await focus(studio.message);
  await keyboard.type('@no');
  await expect.element(page.getByRole('listbox', { name: 'Files and folders' })).toBeVisible();
  await keyboard.press('Escape');
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
  await expect.element(studio.message).toHaveValue('@no');
  await studio.message.fill('');
  await keyboard.type(question);
  await keyboard.press('Enter');
  await studio.settled();
  await expect.element(studio.answers.last()).toContainText('No.');
});

test('/ offers commands in an otherwise empty message, and runs the chosen one', async ({ studio }) => {
  await studio.open({ files: FILES });
  await focus(studio.message);
  await keyboard.type('/sett');
  const list = page.getByRole('listbox', { name: 'Commands' });
  await expect.element(list.getByRole('option', { name: /settings/i }).first()).toBeVisible();
  await keyboard.press('Enter');
  await expect.element(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await keyboard.press('Escape');
  await expect.element(studio.message).toHaveValue('');
  await focus(studio.message);
  await keyboard.type('/review');
  await expect.element(list.getByRole('option', { name: /review/i }).first()).toBeVisible();
  await keyboard.press('Enter');
  await expect.element(page.getByRole('button', { name: /^Tools: .*Reviewing changes/ })).toBeVisible();
  // A path is no command.
  await keyboard.type('/src/App.tsx');
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
  await expect.element(studio.message).toHaveValue('/src/App.tsx');
});

test('the panel of tools says what is on, in words, and works by keyboard', async ({ studio }) => {
  const question = prompt('Which tools?');
  await model.script(question, [{ text: 'None of the files.' }]);
  await studio.open();
  const button = page.getByRole('button', { name: 'Tools: Browser, Files' });
  await focus(button);
  await keyboard.press('Enter');
  await expect.element(studio.toolsPanel.getByRole('switch', { name: 'Browser' })).toHaveFocus();
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await keyboard.press('Escape');
  await expect.element(page.getByRole('button', { name: 'Tools: Browser', exact: true })).toHaveFocus();
  await studio.say(question);
  await studio.settled();
  const names = (await model.requestsFor(question))[0]?.tools?.map(({ function: { name } }) => name) ?? [];
  expect(names).toContain('browser_js_eval');
  expect(names).not.toContain('read_file');
});

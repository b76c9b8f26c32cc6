import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { downloadOf, focus, keyboard, mouse, press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import { assistantMessage, storedThread, userMessage } from '#e2e/lib/stored-threads.ts';

const thread = (id: string) =>
  storedThread(id, [
    userMessage(`question-${id}`, `Question ${id}`),
    assistantMessage(`answer-${id}`, [{ type: 'text', text: `Answer ${id}` }]),
  ]);

const threads = page.getByRole('navigation', { name: 'Threads' });
const links = threads.getByRole('link');
const link = (name: string) => threads.getByRole('link', { name, exact: true });

/** An expectation, which is retried, of the titles of the threads in a group. */
const expectGroup = (name: string) =>
  expect.poll(() =>
    threads
      .getByRole('list', { name, exact: true })
      .getByRole('link')
      .elements()
      .map((entry) => entry.textContent),
  );

/** Chooses a command from the menu of a thread or a folder. */
async function choose(name: string, command: string): Promise<void> {
  await page.getByRole('button', { name: `Options for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: command, exact: true }).click();
}

/** Chooses a command from the menu of the list. */
async function chooseForList(command: string): Promise<void> {
  await page.getByRole('button', { name: 'Thread list menu' }).click();
  await page.getByRole('menuitem', { name: command }).click();
}

test('threads are pinned, filed and archived with their menus, and a reload keeps that', async ({ studio }) => {
  await studio.open({ threads: ['a', 'b', 'c'].map(thread) });
  await choose('Thread a', 'Pin');
  await expectGroup('Pinned').toEqual(['Thread a']);
  await choose('Thread b', 'Move to folder…');
  await page.getByRole('textbox', { name: 'Folder name' }).fill('Work');
  await page.getByRole('button', { name: 'Create and move' }).click();
  await expectGroup('Work').toEqual(['Thread b']);
  await choose('Thread c', 'Archive');
  await expect.element(link('Thread c')).not.toBeInTheDocument();
  await threads.getByRole('button', { name: 'Work', exact: true }).click();
  await expectGroup('Work').toEqual([]);
  await studio.reopen();
  await expectGroup('Pinned').toEqual(['Thread a']);
  await expectGroup('Work').toEqual([]);
  await threads.getByRole('button', { name: 'Work', exact: true }).click();
  await expectGroup('Work').toEqual(['Thread b']);
  await threads.getByRole('button', { name: 'Archived' }).click();
  await expectGroup('Archived').toEqual(['Thread c']);
  await choose('Thread c', 'Unarchive');
  await expectGroup('Today').toEqual(['Thread c']);
});

test('a folder can be empty, takes what is dropped on it, and leaves its threads when it is deleted', async ({
  studio,
}) => {
  await studio.open({ threads: ['a', 'b'].map(thread) });
  await chooseForList('New folder…');
  await page.getByRole('textbox', { name: 'Folder name' }).fill('Work');
  await page.getByRole('button', { name: 'Create folder' }).click();
  const folder = threads.getByRole('button', { name: 'Work', exact: true });
  await link('Thread a').hover();
  await mouse.down();
  // While something is dragged, other places to drop it appear, and the folder moves.
  await folder.hover();
  await folder.hover();
  await mouse.up();
  await expectGroup('Work').toEqual(['Thread a']);
  await press(folder, 'F2');
  await page.getByRole('textbox', { name: 'Folder name' }).fill('Home');
  await keyboard.press('Enter');
  await expectGroup('Home').toEqual(['Thread a']);
  await choose('Home', 'Delete folder, keep threads');
  await expectGroup('Today').toHaveLength(2);
  await expect.element(threads.getByRole('button', { name: 'Home', exact: true })).not.toBeInTheDocument();
});

test('a title is edited in place: Enter and leaving save it, Esc does not', async ({ studio }) => {
  await studio.open({ threads: [thread('a')] });
  const title = page.getByRole('textbox', { name: 'Title' });
  await link('Thread a').dblClick();
  await title.fill('First');
  await keyboard.press('Enter');
  await expect.element(link('First')).toHaveFocus();
  await keyboard.press('F2');
  await title.fill('Never');
  await keyboard.press('Escape');
  await expect.element(link('First')).toHaveFocus();
  await keyboard.press('F2');
  await title.fill('Second');
  await focus(studio.message);
  await expect.element(link('Second')).toBeVisible();
});

test('an entry says when something last happened and with which model, and its link is the title', async ({
  studio,
}) => {
  await studio.open({ threads: [thread('a')] });
  await expect.element(link('Thread a')).toHaveAccessibleDescription(/^now · .*scripted|^1 min\. ago · .*scripted/i);
});

test('several threads are selected without opening them, deleted at once, and restored at once', async ({ studio }) => {
  await studio.open({ threads: ['a', 'b', 'c', 'd'].map(thread) });
  await links.first().click({ modifiers: ['ControlOrMeta'] });
  await links.nth(2).click({ modifiers: ['Shift'] });
  await expect.element(page.getByText('3 selected')).toBeVisible();
  expect(location.search).not.toContain('thread=');
  await keyboard.press('Escape');
  await expect.element(page.getByText('3 selected')).not.toBeInTheDocument();
  await choose('Thread a', 'Select');
  // While threads are selected, a click selects, too.
  await link('Thread b').click();
  const bar = page.getByRole('toolbar', { name: 'Selected threads' });
  const saved = await downloadOf(() => bar.getByRole('button', { name: 'Export' }).click());
  expect(saved.name).toBe('threads.zip');
  await bar.getByRole('button', { name: 'Delete' }).click();
  await expect.element(links).toHaveLength(2);
  await expect.element(page.getByText('Deleted 2 threads.')).toBeVisible();
  await studio.undo.click();
  await expect.element(links).toHaveLength(4);
});

test('a temporary thread is gone after a reload, here and on the server', async ({ studio }) => {
  const question = prompt('Between us');
  await model.script(question, [{ text: 'Nobody will know.' }]);
  await studio.open();
  await chooseForList('New temporary thread');
  await expect.element(page.getByTitle('Closing or reloading the page deletes this thread')).toBeVisible();
  await studio.say(question);
  await expect.element(studio.answers).toContainText('Nobody will know.');
  await expect.element(threads.getByRole('link', { name: question })).toHaveAccessibleDescription(/^Temporary · /);
  expect(location.search).not.toContain('thread=');
  const prefix = 'roundtrip-studio:temporary-thread:';
  const key = Object.keys(localStorage).find((name) => name.startsWith(prefix));
  const onServer = async () => (await fetch(`/api/threads/${key?.slice(prefix.length)}`)).status;
  expect(await onServer()).toBe(200);
  await studio.message.fill('Something else');
  await studio.reopen();
  await expect.element(threads.getByText('No threads yet.')).toBeVisible();
  await expect.poll(onServer).toBe(404);
  await expect.element(studio.message).toHaveValue('');
  const left = JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
  expect(left).not.toContain(question);
  expect(left).not.toContain('Something else');
});

test('of a thousand threads, only those near the viewport are in the document', async ({ studio }) => {
  await studio.open({ threads: Array.from({ length: 1_000 }, (_, n) => thread(`${n}`)) });
  await expect.element(links.first()).toBeVisible();
  expect(links.length).toBeLessThan(100);
  await expect.element(threads.getByRole('heading', { name: 'Today' })).toBeVisible();
  const first = links.first().element().textContent;
  const list = await threads.findElement();
  list.scrollTo(0, list.scrollHeight);
  await expect.element(link(first)).not.toBeInTheDocument();
  await links.last().click();
  await expect.element(page.getByRole('article', { name: 'You' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search threads' }).fill('Thread 77');
  await expect.element(links).toHaveLength(11);
});

test('a thread keeps the model that has answered it when another one becomes the default', async ({ studio }) => {
  const question = prompt('Who are you?');
  await model.script(question, [{ text: 'Scripted.' }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  await studio.openSettings('Models');
  await studio.choose('Model for new threads', 'raw');
  await keyboard.press('Escape');
  await expect.element(threads.getByRole('listitem').filter({ hasText: question })).toContainText('· scripted');
});

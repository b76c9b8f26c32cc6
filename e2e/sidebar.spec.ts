import type { Page } from '@playwright/test';
import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';
import { assistantMessage, storedThread, userMessage } from './lib/stored-threads.ts';

const thread = (id: string) =>
  storedThread(id, [
    userMessage(`question-${id}`, `Question ${id}`),
    assistantMessage(`answer-${id}`, [{ type: 'text', text: `Answer ${id}` }]),
  ]);

/** Chooses a command from the menu of a thread or a folder. */
async function choose(page: Page, name: string, command: string): Promise<void> {
  await page.getByRole('button', { name: `Options for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: command, exact: true }).click();
}

/** Chooses a command from the menu of the list. */
async function chooseForList(page: Page, command: string): Promise<void> {
  await page.getByRole('button', { name: 'Thread list menu' }).click();
  await page.getByRole('menuitem', { name: command }).click();
}

test('threads are pinned, filed and archived with their menus, and a reload keeps that', async ({ studio, page }) => {
  await studio.open({ threads: ['a', 'b', 'c'].map(thread) });
  const inGroup = (name: string) => studio.threads.getByRole('list', { name, exact: true }).getByRole('link');
  await choose(page, 'Thread a', 'Pin');
  await expect(inGroup('Pinned')).toHaveText(['Thread a']);
  await choose(page, 'Thread b', 'Move to folder…');
  await page.getByRole('textbox', { name: 'Folder name' }).fill('Work');
  await page.getByRole('button', { name: 'Create and move' }).click();
  await expect(inGroup('Work')).toHaveText(['Thread b']);
  await choose(page, 'Thread c', 'Archive');
  await expect(studio.threads.getByRole('link', { name: 'Thread c' })).toBeHidden();
  await studio.threads.getByRole('button', { name: 'Work', exact: true }).click();
  await expect(inGroup('Work')).toHaveCount(0);
  await page.reload();
  await expect(inGroup('Pinned')).toHaveText(['Thread a']);
  await expect(inGroup('Work')).toHaveCount(0);
  await studio.threads.getByRole('button', { name: 'Work', exact: true }).click();
  await expect(inGroup('Work')).toHaveText(['Thread b']);
  await studio.threads.getByRole('button', { name: 'Archived' }).click();
  await expect(inGroup('Archived')).toHaveText(['Thread c']);
  await choose(page, 'Thread c', 'Move out of archive');
  await expect(inGroup('Today')).toHaveText(['Thread c']);
});

test('a folder can be empty, takes what is dropped on it, and leaves its threads when it is deleted', async ({
  studio,
  page,
}) => {
  await studio.open({ threads: ['a', 'b'].map(thread) });
  await chooseForList(page, 'New folder…');
  await page.getByRole('textbox', { name: 'Folder name' }).fill('Work');
  await page.getByRole('button', { name: 'Create folder' }).click();
  const folder = studio.threads.getByRole('button', { name: 'Work', exact: true });
  await studio.threads.getByRole('link', { name: 'Thread a' }).hover();
  await page.mouse.down();
  // While something is dragged, other places to drop it appear, and the folder moves.
  await folder.hover();
  await folder.hover();
  await page.mouse.up();
  const inFolder = (name: string) => studio.threads.getByRole('list', { name }).getByRole('link');
  await expect(inFolder('Work')).toHaveText(['Thread a']);
  await folder.press('F2');
  await page.getByRole('textbox', { name: 'Folder name' }).fill('Home');
  await page.keyboard.press('Enter');
  await expect(inFolder('Home')).toHaveText(['Thread a']);
  await choose(page, 'Home', 'Delete folder, keep threads');
  await expect(inFolder('Today')).toHaveCount(2);
  await expect(studio.threads.getByRole('button', { name: 'Home', exact: true })).toBeHidden();
});

test('a title is edited in place: Enter and leaving save it, Esc does not', async ({ studio, page }) => {
  await studio.open({ threads: [thread('a')] });
  const title = page.getByRole('textbox', { name: 'Title' });
  const link = (name: string) => studio.threads.getByRole('link', { name, exact: true });
  await link('Thread a').dblclick();
  await title.fill('First');
  await title.press('Enter');
  await expect(link('First')).toBeFocused();
  await page.keyboard.press('F2');
  await title.fill('Never');
  await title.press('Escape');
  await expect(link('First')).toBeFocused();
  await page.keyboard.press('F2');
  await title.fill('Second');
  await studio.message.focus();
  await expect(link('Second')).toBeVisible();
});

test('an entry says when something last happened and with which model, and its link is the title', async ({
  studio,
}) => {
  await studio.open({ threads: [thread('a')] });
  const link = studio.threads.getByRole('link', { name: 'Thread a', exact: true });
  await expect(link).toHaveAccessibleDescription(/^now · .*scripted|^1 min\. ago · .*scripted/i);
});

test('several threads are selected without opening them, deleted at once, and restored at once', async ({
  studio,
  page,
}) => {
  await studio.open({ threads: ['a', 'b', 'c', 'd'].map(thread) });
  const links = studio.threads.getByRole('link');
  await links.first().click({ modifiers: ['ControlOrMeta'] });
  await links.nth(2).click({ modifiers: ['Shift'] });
  await expect(page.getByText('3 selected')).toBeVisible();
  await expect(page).not.toHaveURL(/thread=/);
  await page.keyboard.press('Escape');
  await expect(page.getByText('3 selected')).toBeHidden();
  await choose(page, 'Thread a', 'Select');
  // While threads are selected, a click selects, too.
  await studio.threads.getByRole('link', { name: 'Thread b' }).click();
  const bar = page.getByRole('toolbar', { name: 'Selected threads' });
  const saved = page.waitForEvent('download');
  await bar.getByRole('button', { name: 'Export' }).click();
  expect((await saved).suggestedFilename()).toBe('threads.zip');
  await bar.getByRole('button', { name: 'Delete' }).click();
  await expect(links).toHaveCount(2);
  await expect(page.getByText('Deleted 2 threads.')).toBeVisible();
  await studio.undo.click();
  await expect(links).toHaveCount(4);
});

test('a temporary thread is gone after a reload, here, in other tabs and on the server', async ({
  studio,
  bench,
  page,
  context,
}) => {
  const question = prompt('Between us');
  bench.model.script(question, [{ text: 'Nobody will know.' }]);
  await studio.open();
  await chooseForList(page, 'New temporary thread');
  await expect(page.getByTitle('This thread and its files are not stored.')).toBeVisible();
  await studio.say(question);
  await expect(studio.answers).toContainText('Nobody will know.');
  const link = studio.threads.getByRole('link', { name: question });
  await expect(link).toHaveAccessibleDescription(/^Temporary · /);
  await expect(page).not.toHaveURL(/thread=/);
  const prefix = 'roundtrip-studio:temporary-thread:';
  const key = await page.evaluate((start) => Object.keys(localStorage).find((name) => name.startsWith(start)), prefix);
  const onServer = async () => (await page.request.get(`/api/threads/${key?.slice(prefix.length)}`)).status();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible();
  await expect(other.getByRole('link', { name: question })).toHaveCount(0);
  expect(await onServer()).toBe(200);
  await other.close();
  await studio.message.fill('Something else');
  await page.reload();
  await expect(studio.message).toBeVisible();
  await expect(studio.threads.getByText('No threads yet.')).toBeVisible();
  await expect.poll(onServer).toBe(404);
  await expect(studio.message).toHaveValue('');
  const left = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(left).not.toContain(question);
  expect(left).not.toContain('Something else');
});

test('of a thousand threads, only those near the viewport are in the document', async ({ studio, page }) => {
  await studio.open({ threads: Array.from({ length: 1_000 }, (_, n) => thread(`${n}`)) });
  const links = studio.threads.getByRole('link');
  await expect(links.first()).toBeVisible();
  expect(await links.count()).toBeLessThan(100);
  await expect(studio.threads.getByRole('heading', { name: 'Today' })).toBeVisible();
  const [first] = await links.allTextContents();
  await studio.threads.evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await expect(studio.threads.getByRole('link', { name: first, exact: true })).toHaveCount(0);
  await links.last().click();
  await expect(page.getByRole('article', { name: 'You' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search threads' }).fill('Thread 77');
  await expect(links).toHaveCount(11);
});

test('leaving a name as it was keeps the one that another tab gives meanwhile', async ({ studio, page, context }) => {
  await studio.open({ threads: ['a', 'b'].map(thread) });
  await studio.threads.getByRole('link', { name: 'Thread a', exact: true }).focus();
  await page.keyboard.press('F2');
  await expect(studio.threads.getByRole('textbox', { name: 'Title' })).toBeFocused();
  const otherPage = await context.newPage();
  await otherPage.goto(page.url());
  const theirs = otherPage.getByRole('navigation', { name: 'Threads' });
  await theirs.getByRole('link', { name: 'Thread a', exact: true }).focus();
  await otherPage.keyboard.press('F2');
  await theirs.getByRole('textbox', { name: 'Title' }).fill('Renamed elsewhere');
  await otherPage.keyboard.press('Enter');
  await expect(theirs.getByRole('link', { name: 'Renamed elsewhere' })).toBeVisible();
  // The new name has arrived when the thread’s options have it.
  await expect(page.getByRole('button', { name: 'Options for Renamed elsewhere' })).toBeAttached();
  await page.keyboard.press('Enter');
  await expect(studio.threads.getByRole('link', { name: 'Renamed elsewhere' })).toBeVisible();
  await page.reload();
  await expect(studio.threads.getByRole('link', { name: 'Renamed elsewhere' })).toBeVisible();
});

test('a thread keeps the model that has answered it when another one becomes the default', async ({
  studio,
  bench,
}) => {
  const question = prompt('Who are you?');
  bench.model.script(question, [{ text: 'Scripted.' }]);
  await studio.open({ settings: { defaultModel: 'scripted' } });
  await studio.say(question);
  await studio.settled();
  await studio.openSettings('Models');
  await studio.choose('Model for new threads', 'raw');
  await studio.page.keyboard.press('Escape');
  await expect(studio.threads.getByRole('listitem').filter({ hasText: question })).toContainText('· scripted');
});

import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';
import { assistantMessage, storedThread, userMessage } from './lib/stored-threads.ts';

const thread = (id: string) =>
  storedThread(id, [
    userMessage(`question-${id}`, `Question ${id}`),
    assistantMessage(`answer-${id}`, [{ type: 'text', text: `Answer ${id}` }]),
  ]);

test('a temporary thread is in no other tab, and gone from the server after a reload', async ({
  studio,
  bench,
  page,
  context,
}) => {
  const question = prompt('Between us');
  bench.model.script(question, [{ text: 'Nobody will know.' }]);
  await studio.open({ settings: { defaultModel: 'scripted' } });
  await page.getByRole('button', { name: 'Thread list menu' }).click();
  await page.getByRole('menuitem', { name: 'New temporary thread' }).click();
  await expect(page.getByTitle('Closing or reloading the page deletes this thread')).toBeVisible();
  await studio.say(question);
  await expect(studio.answers).toContainText('Nobody will know.');
  await expect(studio.threads.getByRole('link', { name: question })).toBeVisible();
  const prefix = 'roundtrip-studio:temporary-thread:';
  const key = await page.evaluate((start) => Object.keys(localStorage).find((name) => name.startsWith(start)), prefix);
  const onServer = async () => (await page.request.get(`/api/threads/${key?.slice(prefix.length)}`)).status();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible();
  await expect(other.getByRole('link', { name: question })).toHaveCount(0);
  expect(await onServer()).toBe(200);
  await other.close();
  await page.reload();
  await expect(studio.threads.getByText('No threads yet.')).toBeVisible();
  await expect.poll(onServer).toBe(404);
});

test('leaving a name as it was keeps the one that another tab gives meanwhile', async ({ studio, page, context }) => {
  await studio.open({ threads: ['a', 'b'].map(thread), settings: { defaultModel: 'scripted' } });
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

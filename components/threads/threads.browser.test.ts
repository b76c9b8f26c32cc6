import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { shortenLimit } from '#components/test/timers.ts';
import { evalCall, prompt } from '#e2e/lib/prompt.ts';
import { UNDO_DELETE_MS } from '#studio/thread-trash.ts';

describe('threads', () => {
  test('are named after their first words, renamed, searched, deleted and restored', async ({ studio }) => {
    const [first, second] = [prompt('Plan a garden'), prompt('Write a poem')];
    for (const question of [first, second]) await model.script(question, [{ text: 'All right.' }]);
    await studio.open();
    await studio.say(first);
    await studio.settled();
    await expect.element(studio.threads.getByRole('link', { name: first })).toBeVisible();
    await page.getByRole('button', { name: 'New thread' }).click();
    await studio.say(second);
    await studio.settled();
    await studio.threads.getByRole('link', { name: first }).click();
    await expect.element(page.getByRole('article', { name: 'You' })).toContainText(first);

    await page.getByRole('button', { name: `Options for ${first}` }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('The garden');
    await keyboard.press('Enter');
    await expect.element(studio.threads.getByRole('link', { name: 'The garden' })).toBeVisible();

    await page.getByRole('searchbox', { name: 'Search threads' }).fill('GARDEN');
    await expect.element(studio.threads.getByRole('link')).toHaveLength(1);
    await page.getByRole('searchbox', { name: 'Search threads' }).fill('');

    await page.getByRole('button', { name: 'Options for The garden' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.element(studio.threads.getByRole('link', { name: 'The garden' })).not.toBeInTheDocument();
    await studio.undo.click();
    await expect.element(studio.threads.getByRole('link', { name: 'The garden' })).toBeVisible();
    await expect.element(page.getByRole('article', { name: 'You' })).toContainText(first);
  });

  test('restored with a pending call: it waits again, and runs', async ({ studio }) => {
    const question = prompt('Compute');
    await model.script(question, [{ calls: evalCall('6 * 7') }, { text: 'It is 42.' }]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.allow).toBeVisible();
    await page.getByRole('button', { name: `Options for ${question}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.element(studio.allow).not.toBeInTheDocument();
    await studio.undo.click();
    await studio.allow.click();
    await studio.settled();
    await expect.element(studio.answers).toContainText('It is 42.');
    expect(await model.requestsFor(question)).toHaveLength(2);
  });

  test('that are deleted are deleted on the server', async ({ studio }) => {
    const question = prompt('Forget me');
    await model.script(question, [{ text: 'I will.' }]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    const { threadId } = studio;
    const statusOnServer = async () => (await fetch(`/api/threads/${threadId}`)).status;
    expect(await statusOnServer()).toBe(200);
    shortenLimit(UNDO_DELETE_MS, 100);
    await page.getByRole('button', { name: `Options for ${question}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.poll(statusOnServer).toBe(404);
  });

  test('continue in the background while another one is open', async ({ studio }) => {
    const [first, second] = [prompt('Slow'), prompt('Quick')];
    await model.script(first, [{ text: 'Slowly done.', hold: { after: 5, gate: first } }]);
    await model.script(second, [{ text: 'Quickly done.' }]);
    await studio.open();
    await studio.say(first);
    await expect.element(studio.answers).toContainText('Slowl');
    await page.getByRole('button', { name: 'New thread' }).click();
    await studio.say(second);
    await expect.element(studio.answers).toContainText('Quickly done.');
    await model.open(first);
    await studio.threads.getByRole('link', { name: first }).click();
    await expect.element(studio.answers).toContainText('Slowly done.');
  });

  test('keep a draft in each', async ({ studio }) => {
    const question = prompt('Hello');
    await model.script(question, [{ text: 'Hello.' }]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    await studio.message.fill('half a thought');
    await page.getByRole('button', { name: 'New thread' }).click();
    await expect.element(studio.message).toHaveValue('');
    await studio.threads.getByRole('link', { name: question }).click();
    await expect.element(studio.message).toHaveValue('half a thought');
  });

  test('have their own system prompt', async ({ studio }) => {
    const question = prompt('Who are you?');
    await model.script(question, [{ text: 'A pirate.' }]);
    await studio.open();
    await page.getByRole('button', { name: 'Thread options' }).click();
    await page.getByRole('menuitem', { name: 'System prompt…' }).click();
    await page.getByRole('textbox', { name: 'System prompt' }).fill('You are a pirate.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await studio.say(question);
    await studio.settled();
    expect((await model.requestsFor(question))[0]?.messages[0]?.content).toMatch(/^You are a pirate\./);
  });
});

test('a title that is written from right to left reads that way', async ({ studio }) => {
  const question = `מה ההבדל בין let ל-const בשפה? ${crypto.randomUUID().slice(0, 8)}`;
  await model.script(question, [{ text: 'שלום' }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const entry = studio.threads.getByRole('link', { name: /^מה ההבדל/ });
  const heading = page.getByRole('heading', { level: 1 });
  for (const title of [entry, heading]) {
    await expect.element(title).toContainText('let');
    expect((await title.findElement()).matches(':dir(rtl)')).toBe(true);
  }
});

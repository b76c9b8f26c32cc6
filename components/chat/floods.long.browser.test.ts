import { describe, expect, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { giveFiles, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { startServer } from '#components/test/servers.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt, writeCall } from '#e2e/lib/prompt.ts';
import { TINY_PNG } from './test/tiny-png.ts';

test('an answer that writes 200 files at once is shown to its end, and counted in full', { timeout: 60_000 }, async ({
  studio,
}) => {
  const question = prompt('Write many');
  const calls = Array.from({ length: 200 }, (_, n) => writeCall(`/many/f${n}.txt`, `file ${n}\n`)).flat();
  await model.script(question, [{ calls }, { text: 'All written.' }]);
  await studio.open();
  await studio.say(question);
  await studio.settled(1, { timeout: 50_000 });
  await expect.element(studio.answers.last()).toContainText('All written.');
  await expect
    .element(page.getByRole('group', { name: 'Changes in this answer' }))
    .toContainText('200 files changed+200 −0');
  // The editor has followed the model, and does not keep all of them open.
  expect(page.getByRole('button', { name: /^Close f\d+/ }).length).toBeLessThanOrEqual(1);
});

test('attachments far above the maximum request size are sent once, and their thread can always continue', {
  timeout: 60_000,
}, async ({ studio }) => {
  // The browser sends at most 8 MB of contents in one request.
  const env = { REQUEST_MAX_BYTES: '9000000' };
  const PICTURE_BYTES = 3_000_000;
  await using before = await startServer('studio', { env });
  await using after = await startServer('studio', { env });
  const [question, edited, next] = [prompt('Look at these'), prompt('Check again'), prompt('And now?')];
  await model.script(question, [[{ text: 'I see four pictures.' }, { text: 'I see them again.' }]]);
  await model.script(edited, [{ text: 'There are still four.' }]);
  await model.script(next, [{ text: 'I have looked at all of them.' }]);
  await studio.open({ server: before });
  const pictures = Array.from(
    { length: 4 },
    (_, n) => new File([TINY_PNG, new Uint8Array(PICTURE_BYTES).fill(n)], `${n}.png`, { type: 'image/png' }),
  );
  await giveFiles(page.locate('input[type=file]').first(), pictures);
  await expect.element(page.getByRole('button', { name: 'Remove 3.png' })).toBeVisible();
  const uploaded = countUploads();
  await studio.say(question);
  await expect.element(studio.answers, { timeout: 30_000 }).toContainText('I see four pictures.');
  await studio.settled();
  const once = uploaded();
  expect(once).toBeGreaterThan(4 * PICTURE_BYTES);
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await expect.element(studio.answers, { timeout: 30_000 }).toContainText('I see them again.');
  await studio.settled(2);
  const message = page.getByRole('article', { name: 'You' });
  await message.hover();
  await message.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill(edited);
  await keyboard.press('Enter');
  await expect.element(studio.answers, { timeout: 30_000 }).toContainText('There are still four.');
  await studio.settled(3);
  expect(uploaded(), 'nothing was sent again').toBe(once);
  // A server that has lost everything requests all of it once more.
  await studio.moveTo(after);
  await studio.say(next);
  await expect.element(studio.answers.last(), { timeout: 30_000 }).toContainText('I have looked at all of them.');
  await studio.settled(4);
  expect(await model.requestsFor(next)).toHaveLength(1);
});

/** Returns a function for the number of characters of file contents that the page has sent since this call. */
function countUploads(): () => number {
  const requests = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => requests.mockRestore());
  return () =>
    requests.mock.calls.reduce(
      (sum, [url, init]) => sum + (url === '/api/contents' ? String(init?.body).length : 0),
      0,
    );
}

describe('a message of 2 MB', { timeout: 60_000 }, () => {
  const ofLength = (length: number): string =>
    `${prompt('Read this.')} `.padEnd(length, 'All work and no play. ').replace(/ $/, '.');

  test('exactly at the limit reaches the model completely', async ({ studio }) => {
    const question = ofLength(2_000_000);
    await model.script(question, [{ text: 'I have read it all.' }]);
    // One whose window is not known, so that only the server's limit counts.
    await studio.open({ settings: { defaultModel: 'small-context' } });
    await studio.message.fill(question);
    await keyboard.press('Enter');
    await expect.element(studio.answers, { timeout: 30_000 }).toContainText('I have read it all.');
    await expect.element(page.getByRole('button', { name: 'Show all' })).toBeVisible();
  });

  test('longer than the limit is rejected with a message, stays, and is sent once shortened', async ({ studio }) => {
    const question = ofLength(2 * 1024 * 1024);
    const shorter = prompt('In short');
    await model.script(shorter, [{ text: 'That I can read.' }]);
    await studio.open({ settings: { defaultModel: 'scripted' } });
    await studio.message.fill(question);
    await keyboard.press('Enter');
    const alert = studio.answers.getByRole('alert');
    await expect.element(alert, { timeout: 30_000 }).toContainText('too long to send. Edit it to make it shorter');
    await expect.element(alert).toContainText('the limit is 2000000');
    const own = page.getByRole('article', { name: 'You' });
    await own.hover();
    await own.getByRole('button', { name: 'Edit', exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'Edit message' });
    const text = ((await editor.findElement()) as HTMLTextAreaElement).value;
    expect(text === question, 'all of the message is there to be edited').toBe(true);
    await editor.fill(shorter);
    await own.getByRole('button', { name: 'Send' }).click();
    await expect.element(studio.answers).toContainText('That I can read.');
  });
});

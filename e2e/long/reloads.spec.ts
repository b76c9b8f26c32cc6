import type { Page } from '@playwright/test';
import { expect, test as plain } from '../lib/fixtures.ts';
import { add, ask, connected, resultOf, test } from '../lib/mcp-page.ts';
import { prompt } from '../lib/prompt.ts';
import { readThreads } from '../lib/storage.ts';

const SETTINGS = { defaultModel: 'scripted' };

test('five reloads in mid-call never run a call twice', async ({ studio, bench, page, server }) => {
  await studio.open({ settings: SETTINGS });
  await add(studio, page, server);
  await connected(page);
  for (let round = 1; round <= 5; round++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.gate = promise;
    const question = await ask(studio, bench, `City ${round}`);
    await studio.allowOnce.click();
    await expect.poll(() => server.calls.length).toBe(round);
    await page.reload();
    await studio.settled(round);
    resolve();
    expect(resultOf(bench, question)).toContain('interrupted');
  }
  expect(server.calls).toEqual([1, 2, 3, 4, 5].map((round) => `forecast City ${round}`));
});

/** Times after a message was sent, and after the first reload, at which the page is loaded again, in milliseconds. */
const MOMENTS = [0, 5, 10, 20, 30, 45, 60, 80, 110, 150, 200, 300].flatMap((first) =>
  [0, 60, 180, 400].map((second) => [first, second] as const),
);

plain(
  'two reloads right after a first message neither lose it, nor answer it twice',
  async ({ studio, bench, page }) => {
    plain.setTimeout(300_000);
    // A run that was stored, but not posted, is not known to the server.
    studio.expectedProblems.push('status of 404');
    await studio.open({ settings: SETTINGS });
    let stored = 0;
    for (const [first, second] of MOMENTS) {
      const question = prompt(`After ${first} and ${second} ms`);
      bench.model.script(question, [{ text: 'Here is the answer.' }]);
      await page.goto('/');
      await studio.message.fill(question);
      await studio.message.press('Enter');
      await page.waitForTimeout(first);
      await page.reload({ waitUntil: 'commit' });
      await page.waitForTimeout(second);
      // Refused while the page of the first reload takes the place of the one before.
      await expect(() => page.reload()).toPass({ intervals: [20] });
      await expect(studio.message).toBeVisible();
      const place = await placeOf(page, question);
      if (place === 'message box') continue;
      stored++;
      await expect.poll(() => statusesOf(page, question), { message: `${question}: one answer` }).toEqual(['done']);
      await expect(studio.message, `${question}: it is not in the message box as well`).toHaveValue('');
    }
    // Both happen, or the moments are not those that they are meant to be.
    expect(stored).toBeGreaterThan(MOMENTS.length / 4);
    expect((await readThreads(page)).filter(({ messages }) => messages.length === 0)).toEqual([]);
  },
);

/** Finds a message after a reload: stored in its thread, or in the message box again. Fails if it is nowhere. */
async function placeOf(page: Page, question: string): Promise<'thread' | 'message box'> {
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  let place: 'thread' | 'message box' | undefined;
  await expect(async () => {
    if ((await statusesOf(page, question)) !== undefined) place = 'thread';
    else if ((await box.inputValue()) === question) place = 'message box';
    expect(place, `${question}: in a thread, or in the message box`).toBeDefined();
  }).toPass({ timeout: 10_000 });
  return place ?? 'thread';
}

/** The states of all answers to a question; undefined if it is not stored. */
async function statusesOf(page: Page, question: string): Promise<string[] | undefined> {
  for (const { headId, messages } of await readThreads(page)) {
    const asked = messages.find(({ message }) => JSON.stringify(message.parts).includes(question));
    if (asked === undefined) continue;
    const answers = messages.filter(({ parentId }) => parentId === asked.message.id).map(({ message }) => message);
    expect(answers.map(({ id }) => id)).toContain(headId);
    return answers.map((message) => (message.role === 'assistant' ? message.status.type : message.role));
  }
  return undefined;
}

test('a call by use_tool that a reload has interrupted is never run twice', async ({ studio, bench, page, server }) => {
  // Too many tools to be listed.
  server.fillers = 150;
  await studio.open({ settings: SETTINGS });
  await add(studio, page, server);
  await connected(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.gate = promise;
  const question = prompt('Use weather_forecast');
  const call = { name: 'weather_forecast', arguments: { city: 'Lima' } };
  bench.model.script(question, [
    { calls: [{ name: 'search_tools', arguments: JSON.stringify({ query: call.name }) }] },
    { calls: [{ name: 'use_tool', arguments: JSON.stringify(call) }] },
    { text: 'Used.' },
  ]);
  await studio.say(question);
  await studio.allowOnce.click();
  await expect.poll(() => server.calls).toEqual(['forecast Lima']);
  await page.reload();
  await studio.settled();
  resolve();
  expect(resultOf(bench, question)).toContain('interrupted');
  expect(server.calls).toEqual(['forecast Lima']);
});

test('a form does not come back after a reload', async ({ studio, bench, page, server }) => {
  await studio.open({ settings: SETTINGS });
  await add(studio, page, server);
  await connected(page);
  const question = prompt('Call weather_ask');
  bench.model.script(question, [{ calls: [{ name: 'weather_ask', arguments: '{}' }] }, { text: 'Called.' }]);
  await studio.say(question);
  await studio.allowOnce.click();
  const form = page.getByRole('form', { name: 'Question from weather' });
  await expect(form).toBeVisible();
  await page.reload();
  await studio.settled();
  await expect(form).toBeHidden();
  expect(resultOf(bench, question)).toContain('interrupted');
  expect(server.calls).toEqual([]);
});

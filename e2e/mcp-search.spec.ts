import type { Page } from '@playwright/test';
import type { TestBench } from './lib/bench.ts';
import { expect } from './lib/fixtures.ts';
import { add, test as base, connected, resultOf } from './lib/mcp-page.ts';
import { prompt } from './lib/prompt.ts';
import type { StudioPage } from './lib/studio-page.ts';

/** Tests with a server that has too many tools to be listed. */
const test = base.extend<{ crowded: undefined }>({
  crowded: [
    async ({ server }, use) => {
      server.fillers = 150;
      await use(undefined);
    },
    { auto: true },
  ],
});

/** Asks something that the model answers by a search, and a call of what that has found. */
async function useTool(studio: StudioPage, bench: TestBench, name: string, input: object = {}): Promise<string> {
  const question = prompt(`Use ${name}`);
  bench.model.script(question, [
    { calls: [{ name: 'search_tools', arguments: JSON.stringify({ query: name }) }] },
    { calls: [{ name: 'use_tool', arguments: JSON.stringify({ name, arguments: input }) }] },
    { text: 'Used.' },
  ]);
  await studio.say(question);
  return question;
}

const card = (page: Page) => page.getByRole('group', { name: /weather_/ }).last();
const form = (page: Page) => card(page).getByRole('form', { name: 'Question of the server weather' });

test('a call by use_tool is asked about as what it is, and its server asks at its card', async ({
  studio,
  bench,
  page,
  server,
}) => {
  await studio.open();
  await add(studio, page, server);
  await connected(page);
  const question = await useTool(studio, bench, 'weather_ask');
  await expect(card(page)).toContainText('Asks where.');
  await card(page).getByRole('button', { name: 'Allow once' }).click();
  await form(page).getByRole('textbox', { name: 'City' }).fill('Lima');
  await page.keyboard.press('Enter');
  await studio.settled();
  expect(bench.model.requestsFor(question)[0]?.tools?.map((tool) => tool.function.name)).not.toContain('weather_ask');
  expect(resultOf(bench, question)).toBe('You said Lima.');
  expect(server.calls).toEqual(['ask Lima']);
});

test('a form of a call by use_tool goes with the turn, and can be cancelled', async ({
  studio,
  bench,
  page,
  server,
}) => {
  await studio.open();
  await add(studio, page, server);
  await connected(page);
  await useTool(studio, bench, 'weather_ask');
  await studio.allowOnce.click();
  await expect(form(page)).toBeVisible();
  await studio.stop.click();
  await expect(form(page)).toBeHidden();
  await studio.settled();
  expect(server.calls).toEqual([]);
  const question = await useTool(studio, bench, 'weather_ask');
  await studio.allowOnce.click();
  await form(page).getByRole('button', { name: 'Cancel' }).click();
  await studio.settled(2);
  expect(resultOf(bench, question)).toBe('You said nothing.');
  expect(server.calls).toEqual(['ask nowhere']);
});

test('a call by use_tool that a reload has interrupted is never run twice', async ({ studio, bench, page, server }) => {
  await studio.open();
  await add(studio, page, server);
  await connected(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.gate = promise;
  const question = await useTool(studio, bench, 'weather_forecast', { city: 'Lima' });
  await studio.allowOnce.click();
  await expect.poll(() => server.calls).toEqual(['forecast Lima']);
  await page.reload();
  await studio.settled();
  resolve();
  expect(resultOf(bench, question)).toContain('interrupted');
  expect(server.calls).toEqual(['forecast Lima']);
});

test('what is allowed for the thread covers calls by use_tool of that tool only', async ({
  studio,
  bench,
  page,
  server,
}) => {
  await studio.open();
  await add(studio, page, server);
  await connected(page);
  await useTool(studio, bench, 'weather_forecast', { city: 'Lima' });
  await page.getByRole('button', { name: 'Allow in this thread', exact: true }).click();
  await studio.settled();
  await useTool(studio, bench, 'weather_forecast', { city: 'Cusco' });
  await studio.settled(2);
  expect(server.calls).toEqual(['forecast Lima', 'forecast Cusco']);
  await useTool(studio, bench, 'weather_ask');
  await expect(studio.allowOnce).toBeVisible();
  expect(server.calls).toHaveLength(2);
});

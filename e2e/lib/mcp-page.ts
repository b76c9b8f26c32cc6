import type { Locator, Page } from '@playwright/test';
import type { TestBench } from './bench.ts';
import { test as base, expect } from './fixtures.ts';
import { McpTestServer } from './mcp-server.ts';
import { prompt } from './prompt.ts';
import type { StudioPage } from './studio-page.ts';

/** Tests with a tool server of their own. */
export const test = base.extend<{ server: McpTestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
  server: async ({}, use) => {
    const server = await McpTestServer.start();
    await use(server);
    await server.stop();
  },
});

/** The line of the only server in the settings. */
export const line = (page: Page): Locator => page.getByRole('list', { name: 'Tool servers' }).getByRole('listitem');

/** Adds a server in the settings, under this name. */
export async function add(
  studio: StudioPage,
  page: Page,
  { url }: Pick<McpTestServer, 'url'>,
  name = 'weather',
): Promise<void> {
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Add server…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tool server' });
  await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Closes the settings, once the server is connected. */
export async function connected(page: Page): Promise<void> {
  await expect(line(page)).toContainText('Connected');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Asks something that the model answers by a call of the server’s tool. */
export async function ask(studio: StudioPage, bench: TestBench, city: string): Promise<string> {
  const question = prompt(`Weather in ${city}?`);
  const calls = [{ name: 'weather_forecast', arguments: JSON.stringify({ city }) }];
  bench.model.script(question, [{ calls }, { text: `I have asked about ${city}.` }]);
  await studio.say(question);
  return question;
}

/** Returns the result that the model got for the last call that it made for a question. */
export const resultOf = (bench: TestBench, question: string): unknown =>
  bench.model
    .requestsFor(question)
    .at(-1)
    ?.messages.findLast(({ role }) => role === 'tool')?.content;

import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { resultOf } from '#components/test/one-call.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { prompt } from '#e2e/lib/prompt.ts';
import { test as base, openWith } from './test/tool-servers.ts';

/** Tests with a server that is connected and has too many tools to be listed. */
const test = base.extend<{ crowded: undefined }>({
  crowded: [
    async ({ studio, server }, use) => {
      await server.set('fillers', 150);
      await openWith(studio, server);
      await use(undefined);
    },
    { auto: true },
  ],
});

/** Sends a message that the model answers with a search for a tool, and a call of the tool. Returns the message. */
async function useTool(studio: StudioPage, name: string, input: object = {}): Promise<string> {
  const question = prompt(`Use ${name}`);
  await model.script(question, [
    { calls: [{ name: 'search_tools', arguments: JSON.stringify({ query: name }) }] },
    { calls: [{ name: 'use_tool', arguments: JSON.stringify({ name, arguments: input }) }] },
    { text: 'Used.' },
  ]);
  await studio.say(question);
  return question;
}

const card = page.getByRole('group', { name: /weather_/ }).last();
const form = card.getByRole('form', { name: 'Question from weather' });

test('a call by use_tool is asked about as what it is, and its server asks at its card', async ({ studio, server }) => {
  const question = await useTool(studio, 'weather_ask');
  await expect.element(card).toContainText('Asks where.');
  await card.getByRole('button', { name: 'Allow once' }).click();
  await form.getByRole('textbox', { name: 'City' }).fill('Lima');
  await keyboard.press('Enter');
  await studio.settled();
  const [request] = await model.requestsFor(question);
  expect(request?.tools?.map((tool) => tool.function.name)).not.toContain('weather_ask');
  expect(await resultOf(question)).toBe('You said Lima.');
  expect(await server.get('calls')).toEqual(['ask Lima']);
});

test('a form of a call by use_tool goes with the turn, and can be cancelled', async ({ studio, server }) => {
  await useTool(studio, 'weather_ask');
  await studio.allowOnce.click();
  await expect.element(form).toBeVisible();
  await studio.stop.click();
  await expect.element(form).not.toBeInTheDocument();
  await studio.settled();
  expect(await server.get('calls')).toEqual([]);
  const question = await useTool(studio, 'weather_ask');
  await studio.allowOnce.click();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await studio.settled(2);
  expect(await resultOf(question)).toBe('You said nothing.');
  expect(await server.get('calls')).toEqual(['ask nowhere']);
});

test('what is allowed for the thread covers calls by use_tool of that tool only', async ({ studio, server }) => {
  await useTool(studio, 'weather_forecast', { city: 'Lima' });
  await studio.allow.click();
  await studio.settled();
  await useTool(studio, 'weather_forecast', { city: 'Cusco' });
  await studio.settled(2);
  expect(await server.get('calls')).toEqual(['forecast Lima', 'forecast Cusco']);
  await useTool(studio, 'weather_ask');
  await expect.element(studio.allowOnce).toBeVisible();
  expect(await server.get('calls')).toHaveLength(2);
});

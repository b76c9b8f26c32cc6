import { expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { focus, keyboard, typeIn } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { askForCall, resultOf } from '#components/test/one-call.ts';
import { type RemoteServer, startServer } from '#components/test/servers.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { violationsIn } from '#components/test/violations.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import type { EverythingServer } from '#lib/sources/mcp/test/everything-server.ts';
import { test as base, connected, openWith } from './test/tool-servers.ts';

const test = base.extend<{ everything: RemoteServer<EverythingServer> }>({
  // Shared by all tests of the file: each has a session of its own, so the server mixes nothing up.
  everything: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures it needs from this pattern
    async ({}, use) => {
      const server = await startServer('reference server');
      await use(server);
      await server.stop();
    },
    { scope: 'file' },
  ],
});

/** Sends a message that the model answers with a call of a server's tool, and allows the call. */
async function callTool(studio: StudioPage, name: string): Promise<string> {
  const question = await askForCall(studio, name);
  await studio.allowOnce.click();
  return question;
}

const formOf = (server: string): Locator => page.getByRole('form', { name: `Question from ${server}` });

const typedMessage = ({ message }: StudioPage): string => (message.element() as HTMLTextAreaElement).value;

const textsOf = (locator: Locator): (string | null)[] => locator.elements().map(({ textContent }) => textContent);

test('a resource of a real server is attached with @, as foreign text under its server’s name', async ({
  studio,
  everything,
}) => {
  await openWith(studio, everything, 'everything');
  const question = prompt('What does it say?');
  await typeIn(studio.message, `${question} @architecture`);
  await page.getByRole('option', { name: /architecture\.md/ }).click();
  await expect.element(page.getByRole('button', { name: /Remove .*everything:demo:.*architecture\.md/ })).toBeVisible();
  await studio.send.click();
  await studio.settled();
  const sent = JSON.stringify(await model.requestsWith(question));
  expect(sent).toContain('Attached file everything:demo://resource/static/document/architecture.md');
  expect(sent).toContain('Everything Server');
});

test('a resource that cannot be read says so, and what to do', async ({ studio }) => {
  const stopped = await startServer('reference server');
  await openWith(studio, stopped, 'everything');
  await stopped.stop();
  await typeIn(studio.message, 'See @architecture');
  await page.getByRole('option', { name: /architecture\.md/ }).click();
  const problem = page.getByRole('alert').filter({ hasText: 'from everything' });
  await expect.element(problem).toContainText('Settings › Tools › Servers');
  await problem.getByRole('button', { name: 'Close' }).click();
  await expect.element(problem).not.toBeInTheDocument();
});

test('a prompt of a real server is called with /, asks for what it needs, and is shown before it is sent', async ({
  studio,
  everything,
}) => {
  await openWith(studio, everything, 'everything');
  await studio.openSettings('Tools');
  await page.getByRole('button', { name: 'Edit everything' }).click();
  const details = page.getByRole('dialog', { name: 'Tool server everything' });
  await expect.element(details).toContainText('A prompt with two arguments');
  await expect.element(details).toContainText('architecture.md');
  await details.getByRole('button', { name: 'Cancel' }).click();
  await connected();
  await typeIn(studio.message, '/everything:simple');
  await page.getByRole('option', { name: /Simple Prompt/ }).click();
  await expect.element(studio.message).toHaveValue('This is a simple prompt without arguments.');
  await studio.message.fill('');
  await typeIn(studio.message, '/arguments');
  await expect.element(page.getByRole('option', { name: /Arguments Prompt/ })).toBeVisible();
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Prompt: Arguments Prompt' });
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await expect.element(dialog.getByRole('alert')).toHaveText('Fill in city.');
  await dialog.getByRole('combobox', { name: 'city' }).fill('Lima');
  await keyboard.press('Enter');
  await expect.element(studio.message).toHaveValue("What's weather in Lima?");
  await expect.element(page.getByRole('article')).not.toBeInTheDocument();
});

test('arguments of a prompt are completed by the server, with regard to each other', async ({ studio, everything }) => {
  await openWith(studio, everything, 'everything');
  await typeIn(studio.message, '/everything:completable');
  await page.getByRole('option', { name: /completable-prompt/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Prompt: Team Management' });
  const department = dialog.getByRole('combobox', { name: 'department' });
  await expect.element(department).toHaveFocus();
  await expect
    .poll(() => textsOf(dialog.getByRole('option')))
    .toEqual(['Engineering', 'Sales', 'Marketing', 'Support']);
  expect(await violationsIn(dialog)).toEqual([]);
  await keyboard.press('Escape');
  await expect.element(dialog.getByRole('listbox')).not.toBeInTheDocument();
  await typeIn(department, 'S');
  await expect.poll(() => textsOf(dialog.getByRole('option'))).toEqual(['Sales', 'Support']);
  await keyboard.press('ArrowDown');
  await expect.element(dialog.getByRole('option', { name: 'Sales' })).toHaveAttribute('aria-selected', 'true');
  await keyboard.press('Enter');
  await expect.element(department).toHaveValue('Sales');
  await focus(dialog.getByRole('combobox', { name: 'name' }));
  await dialog.getByRole('option', { name: 'Eve' }).click();
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await expect.element(studio.message).toHaveValue('Please promote Eve to the head of the Sales team.');
});

test('arguments that a server refuses can be changed', async ({ studio, everything }) => {
  await openWith(studio, everything, 'everything');
  await typeIn(studio.message, '/everything:resource-prompt');
  await page.getByRole('option', { name: /resource-prompt/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Prompt: Resource Prompt' });
  await dialog.getByRole('combobox', { name: 'resourceType' }).fill('Fax');
  await dialog.getByRole('combobox', { name: 'resourceId' }).fill('12');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  const problem = page.getByRole('alert').filter({ hasText: 'Invalid resourceType: Fax' });
  await problem.getByRole('button', { name: 'Change…' }).click();
  await expect.element(dialog.getByRole('combobox', { name: 'resourceType' })).toHaveValue('Fax');
  await expect.element(dialog.getByRole('combobox', { name: 'resourceId' })).toHaveValue('12');
  await dialog.getByRole('combobox', { name: 'resourceType' }).fill('Text');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await expect.poll(() => typedMessage(studio)).toMatch(/resource/i);
  await expect.element(page.getByRole('button', { name: /Remove .*everything:demo:.*dynamic.text.12/ })).toBeVisible();
  await expect.element(problem).not.toBeInTheDocument();
});

test('a resource template is offered with @, filled in, and attached', async ({ studio, everything }) => {
  await openWith(studio, everything, 'everything');
  const question = prompt('What does it say?');
  await typeIn(studio.message, `${question} @dynamic`);
  await page.getByRole('option', { name: /Dynamic Text Resource/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Resource: Dynamic Text Resource' });
  await expect.element(dialog).toContainText('demo://resource/dynamic/text/{resourceId}');
  await dialog.getByRole('button', { name: 'Attach' }).click();
  await expect.element(dialog.getByRole('alert')).toHaveText('Fill in resourceId.');
  await dialog.getByRole('combobox', { name: 'resourceId' }).fill('12');
  await keyboard.press('Enter');
  await expect.element(page.getByRole('button', { name: /Remove .*everything:demo:.*dynamic.text.12/ })).toBeVisible();
  // The message does not name the resource; the attachment does.
  expect(typedMessage(studio).trim()).toBe(question);
  await studio.send.click();
  await studio.settled();
  const sent = JSON.stringify(await model.requestsWith(question));
  expect(sent).toContain('Attached file everything:demo://resource/dynamic/text/12');
  expect(sent).toContain('Resource 12');
});

test('a real server asks by a form, which checks what is filled in', async ({ studio, everything }) => {
  await openWith(studio, everything, 'everything');
  const question = await callTool(studio, 'everything_trigger-elicitation-request');
  const form = formOf('everything');
  await expect.element(form).toContainText('Never enter passwords');
  await form.getByRole('button', { name: 'Submit' }).click();
  await expect.element(form.getByRole('alert')).toHaveText('This field is required.');
  const name = form.getByRole('textbox', { name: 'String', exact: true });
  await expect.element(name).toHaveFocus();
  expect(await violationsIn(form)).toEqual([]);
  await name.fill('Ada');
  await form.getByRole('textbox', { name: 'Integer (optional)' }).fill('1000');
  await expect.element(form.getByRole('alert')).toHaveText('Enter 100 or less.');
  await form.getByRole('textbox', { name: 'Integer (optional)' }).fill('7');
  await form.getByRole('checkbox', { name: 'Boolean' }).click();
  await expect.element(form.getByRole('checkbox', { name: 'Boolean' })).toBeChecked();
  await form.getByRole('combobox', { name: 'Titled Single Select Enum (optional)', exact: true }).click();
  await page.getByRole('option', { name: 'Wonder Woman' }).click();
  await form.getByRole('button', { name: 'Submit' }).click();
  await studio.settled();
  const told = String(await resultOf(question));
  expect(told).toContain('Name: Ada');
  expect(told).toContain('"integer": 7');
  expect(told).toContain('"titledSingleSelectEnum": "hero-3"');
});

test('a server of the current protocol asks by a form, within the same call', async ({ studio, server }) => {
  await openWith(studio, server);
  const question = await callTool(studio, 'weather_ask');
  await expect.element(formOf('weather')).toContainText('Where do you live?');
  await formOf('weather').getByRole('textbox', { name: 'City' }).fill('Lima');
  await keyboard.press('Enter');
  await studio.settled();
  expect(await resultOf(question)).toBe('You said Lima.');
  const declined = await callTool(studio, 'weather_ask');
  await formOf('weather').getByRole('button', { name: 'Decline' }).click();
  await studio.settled(2);
  expect(await resultOf(declined)).toBe('You said nothing.');
  expect(await server.get('calls')).toEqual(['ask Lima', 'ask nowhere']);
});

test('a form goes when the turn is stopped', async ({ studio, server }) => {
  await openWith(studio, server);
  await callTool(studio, 'weather_ask');
  await expect.element(formOf('weather')).toBeVisible();
  await studio.stop.click();
  await expect.element(formOf('weather')).not.toBeInTheDocument();
  await studio.settled();
  expect(await server.get('calls')).toEqual([]);
});

test('prompts that come and go are offered without a reload', async ({ studio, server }) => {
  await openWith(studio, server);
  await server.call('offerPrompt', 'summary');
  const { servers } = (await (await studio.studio()).tools.load()).sources;
  await expect.poll(() => servers.state.getState()[0]?.listing?.prompts).toHaveLength(2);
  await typeIn(studio.message, '/weather:');
  await expect.element(page.getByRole('option')).toHaveLength(2);
});

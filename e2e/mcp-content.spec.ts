import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { EverythingServer } from '#lib/mcp/test/everything-server.ts';
import type { TestBench } from './lib/bench.ts';
import { expect } from './lib/fixtures.ts';
import { add, ask, test as base, connected, resultOf } from './lib/mcp-page.ts';
import { prompt } from './lib/prompt.ts';
import type { StudioPage } from './lib/studio-page.ts';

const test = base.extend<{ everything: EverythingServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
  everything: async ({}, use) => {
    const server = await EverythingServer.start();
    await use(server);
    await server.stop();
  },
});

/** Asks something that the model answers by calls of one tool of a server, which is allowed. */
async function call(studio: StudioPage, bench: TestBench, name: string): Promise<string> {
  const question = prompt(`Call ${name}`);
  bench.model.script(question, [{ calls: [{ name, arguments: '{}' }] }, { text: 'Called.' }]);
  await studio.say(question);
  await studio.allowOnce.click();
  return question;
}

const formOf = (page: Page, server: string): Locator =>
  page.getByRole('form', { name: `Question of the server ${server}` });

test('a resource of a real server is attached with @, as foreign text under its server’s name', async ({
  studio,
  bench,
  page,
  everything,
}) => {
  await studio.open();
  await add(studio, page, everything, 'everything');
  await connected(page);
  const question = prompt('What does it say?');
  await studio.message.pressSequentially(`${question} @architecture`);
  await page.getByRole('option', { name: /architecture\.md/ }).click();
  await expect(page.getByRole('button', { name: /Remove .*everything:demo:.*architecture\.md/ })).toBeVisible();
  await studio.send.click();
  await studio.settled();
  const sent = bench.model.requests.map((request) => JSON.stringify(request)).find((text) => text.includes(question));
  expect(sent).toContain('Attached file everything:demo://resource/static/document/architecture.md');
  expect(sent).toContain('Everything Server');
});

test('a resource that cannot be read says so, and what to do', async ({ studio, page, everything }) => {
  await studio.open();
  await add(studio, page, everything, 'everything');
  await connected(page);
  await everything.stop();
  await studio.message.pressSequentially('See @architecture');
  await page.getByRole('option', { name: /architecture\.md/ }).click();
  const problem = page.getByRole('alert').filter({ hasText: 'could not be read from everything' });
  await expect(problem).toContainText('Settings › Tools › Servers');
  await problem.getByRole('button', { name: 'Close' }).click();
  await expect(problem).toBeHidden();
  studio.expectedProblems.push('ERR_CONNECTION_REFUSED', 'ERR_INCOMPLETE_CHUNKED_ENCODING', 'ERR_CONNECTION_RESET');
});

test('a prompt of a real server is called with /, asks for what it needs, and is shown before it is sent', async ({
  studio,
  page,
  everything,
}) => {
  await studio.open();
  await add(studio, page, everything, 'everything');
  await page.getByRole('button', { name: 'Edit everything' }).click();
  const details = page.getByRole('dialog', { name: 'Tool server everything' });
  await expect(details).toContainText('A prompt with two arguments');
  await expect(details).toContainText('architecture.md');
  await details.getByRole('button', { name: 'Cancel' }).click();
  await connected(page);
  await studio.message.pressSequentially('/everything:simple');
  await page.getByRole('option', { name: /Simple Prompt/ }).click();
  await expect(studio.message).toHaveValue('This is a simple prompt without arguments.');
  await studio.message.fill('');
  await studio.message.pressSequentially('/arguments');
  await expect(page.getByRole('option', { name: /Arguments Prompt/ })).toBeVisible();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Prompt Arguments Prompt' });
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Fill in city.');
  await dialog.getByRole('combobox', { name: 'city' }).fill('Lima');
  await page.keyboard.press('Enter');
  await expect(studio.message).toHaveValue("What's weather in Lima?");
  await expect(page.getByRole('article')).toHaveCount(0);
});

test('arguments of a prompt are completed by the server, with regard to each other', async ({
  studio,
  page,
  everything,
}) => {
  await studio.open();
  await add(studio, page, everything, 'everything');
  await connected(page);
  await studio.message.pressSequentially('/everything:completable');
  await page.getByRole('option', { name: /completable-prompt/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Prompt Team Management' });
  const department = dialog.getByRole('combobox', { name: 'department' });
  await expect(department).toBeFocused();
  await expect(dialog.getByRole('option')).toHaveText(['Engineering', 'Sales', 'Marketing', 'Support']);
  expect((await new AxeBuilder({ page }).include('[role="dialog"]').analyze()).violations).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('listbox')).toBeHidden();
  await department.pressSequentially('S');
  await expect(dialog.getByRole('option')).toHaveText(['Sales', 'Support']);
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('option', { name: 'Sales' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(department).toHaveValue('Sales');
  await dialog.getByRole('combobox', { name: 'name' }).focus();
  await dialog.getByRole('option', { name: 'Eve' }).click();
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await expect(studio.message).toHaveValue('Please promote Eve to the head of the Sales team.');
});

test('arguments that a server refuses can be changed', async ({ studio, page, everything }) => {
  await studio.open();
  await add(studio, page, everything, 'everything');
  await connected(page);
  await studio.message.pressSequentially('/everything:resource-prompt');
  await page.getByRole('option', { name: /resource-prompt/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Prompt Resource Prompt' });
  await dialog.getByRole('combobox', { name: 'resourceType' }).fill('Fax');
  await dialog.getByRole('combobox', { name: 'resourceId' }).fill('12');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  const problem = page.getByRole('alert').filter({ hasText: 'Invalid resourceType: Fax' });
  await problem.getByRole('button', { name: 'Change…' }).click();
  await expect(dialog.getByRole('combobox', { name: 'resourceType' })).toHaveValue('Fax');
  await expect(dialog.getByRole('combobox', { name: 'resourceId' })).toHaveValue('12');
  await dialog.getByRole('combobox', { name: 'resourceType' }).fill('Text');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await expect(studio.message).toHaveValue(/resource/i);
  await expect(problem).toBeHidden();
});

test('a resource template is offered with @, filled in, and attached', async ({ studio, bench, page, everything }) => {
  await studio.open();
  await add(studio, page, everything, 'everything');
  await connected(page);
  const question = prompt('What does it say?');
  await studio.message.pressSequentially(`${question} @dynamic`);
  await page.getByRole('option', { name: /Dynamic Text Resource/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Resource Dynamic Text Resource' });
  await expect(dialog).toContainText('demo://resource/dynamic/text/{resourceId}');
  await dialog.getByRole('button', { name: 'Attach' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Fill in resourceId.');
  await dialog.getByRole('combobox', { name: 'resourceId' }).fill('12');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /Remove .*everything:demo:.*dynamic.text.12/ })).toBeVisible();
  // Which one was meant is said by the attachment.
  expect((await studio.message.inputValue()).trim()).toBe(question);
  await studio.send.click();
  await studio.settled();
  const sent = bench.model.requests.map((request) => JSON.stringify(request)).find((text) => text.includes(question));
  expect(sent).toContain('Attached file everything:demo://resource/dynamic/text/12');
  expect(sent).toContain('Resource 12');
});

test('a real server asks by a form, which checks what is filled in', async ({ studio, bench, page, everything }) => {
  await studio.open();
  await add(studio, page, everything, 'everything');
  await connected(page);
  const question = await call(studio, bench, 'everything_trigger-elicitation-request');
  const form = formOf(page, 'everything');
  await expect(form).toContainText('Never enter passwords');
  await form.getByRole('button', { name: 'Submit' }).click();
  await expect(form.getByRole('alert')).toHaveText('Fill this in.');
  const name = form.getByRole('textbox', { name: 'String', exact: true });
  await expect(name).toBeFocused();
  expect((await new AxeBuilder({ page }).include('form[aria-label^="Question"]').analyze()).violations).toEqual([]);
  await name.fill('Ada');
  await form.getByRole('textbox', { name: 'Integer (optional)' }).fill('1000');
  await expect(form.getByRole('alert')).toHaveText('Enter 100 or less.');
  await form.getByRole('textbox', { name: 'Integer (optional)' }).fill('7');
  await form.getByRole('checkbox', { name: 'Boolean' }).check();
  await form.getByRole('combobox', { name: 'Titled Single Select Enum (optional)', exact: true }).click();
  await page.getByRole('option', { name: 'Wonder Woman' }).click();
  await form.getByRole('button', { name: 'Submit' }).click();
  await studio.settled();
  const told = String(resultOf(bench, question));
  expect(told).toContain('Name: Ada');
  expect(told).toContain('"integer": 7');
  expect(told).toContain('"titledSingleSelectEnum": "hero-3"');
});

test('a server of the current protocol asks by a form, within the same call', async ({
  studio,
  bench,
  page,
  server,
}) => {
  await studio.open();
  await add(studio, page, server);
  await connected(page);
  const question = await call(studio, bench, 'weather_ask');
  await expect(formOf(page, 'weather')).toContainText('Where do you live?');
  await formOf(page, 'weather').getByRole('textbox', { name: 'City' }).fill('Lima');
  await page.keyboard.press('Enter');
  await studio.settled();
  expect(resultOf(bench, question)).toBe('You said Lima.');
  const declined = await call(studio, bench, 'weather_ask');
  await formOf(page, 'weather').getByRole('button', { name: 'Decline' }).click();
  await studio.settled(2);
  expect(resultOf(bench, declined)).toBe('You said nothing.');
  expect(server.calls).toEqual(['ask Lima', 'ask nowhere']);
});

test('a form goes when the turn is stopped, and does not come back after a reload', async ({
  studio,
  bench,
  page,
  server,
}) => {
  await studio.open();
  await add(studio, page, server);
  await connected(page);
  await call(studio, bench, 'weather_ask');
  await expect(formOf(page, 'weather')).toBeVisible();
  await studio.stop.click();
  await expect(formOf(page, 'weather')).toBeHidden();
  await studio.settled();
  const question = await call(studio, bench, 'weather_ask');
  await expect(formOf(page, 'weather')).toBeVisible();
  await page.reload();
  await studio.settled(2);
  await expect(formOf(page, 'weather')).toBeHidden();
  expect(resultOf(bench, question)).toContain('interrupted');
  expect(server.calls).toEqual([]);
});

test('prompts that come and go are offered without a reload', async ({ studio, page, server }) => {
  await studio.open();
  await add(studio, page, server);
  await connected(page);
  server.prompts.add('summary');
  server.announcePrompts();
  await expect(async () => {
    await studio.message.fill('');
    await studio.message.pressSequentially('/weather:');
    await expect(page.getByRole('option')).toHaveCount(2, { timeout: 500 });
  }).toPass();
});

test('five reloads in mid-call never run a call twice', async ({ studio, bench, page, server }) => {
  await studio.open();
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

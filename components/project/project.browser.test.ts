import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test } from '#components/test/studio-test.ts';
import { prompt, writeCall } from '#e2e/lib/prompt.ts';

const RULE = 'Always answer in rhymes.';
const SKILL =
  '---\nname: release\ndescription: Use it to publish a version.\n---\n\n# Release\n\nRun the tests first.\n';

/** Sends a message, and returns the system prompt that the model got with it. `answers`: how many there are then. */
async function systemPromptOf(studio: StudioPage, answers: number): Promise<string> {
  const question = prompt('Hello');
  await model.script(question, [{ text: 'Hello!' }]);
  await studio.say(question);
  await studio.settled(answers);
  const { content } = (await model.requestsFor(question)).at(-1)?.messages[0] ?? {};
  return String(content);
}

/** Allows a file of the project in the dialog that asks about it. */
async function allow(path: string): Promise<void> {
  await page.getByRole('button', { name: 'Review…' }).click();
  await page.getByRole('switch', { name: `Allow ${path}` }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
}

test('instructions are told once they are allowed, and the model is told when they change', async ({ studio }) => {
  await studio.open({ files: { '/AGENTS.md': RULE } });
  await expect.element(page.getByText('This workspace has instructions, tools, or prompts: /AGENTS.md.')).toBeVisible();
  expect(await systemPromptOf(studio, 1)).not.toContain(RULE);

  await page.getByRole('button', { name: 'Review…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Project files in this workspace' });
  await expect.element(dialog).toContainText(RULE);
  await dialog.getByRole('switch', { name: 'Allow /AGENTS.md' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('This workspace has instructions, tools, or prompts')).not.toBeInTheDocument();
  expect(await systemPromptOf(studio, 2)).toContain(RULE);
  await expect
    .element(studio.answers.last())
    .toContainText('The project’s instructions have changed since the last answer');

  expect(await systemPromptOf(studio, 3)).toContain(RULE);
  await expect.element(studio.answers.last()).not.toContainText('have changed');
  await studio.reopen();
  expect(await systemPromptOf(studio, 4)).toContain(RULE);
});

test('what the model itself writes into them is asked about', async ({ studio }) => {
  await studio.open();
  const question = prompt('Write instructions');
  await model.script(question, [{ calls: writeCall('/AGENTS.md', RULE) }, { text: 'Written.' }]);
  await studio.say(question);
  await studio.settled();
  await expect.element(page.getByText('This workspace has instructions, tools, or prompts: /AGENTS.md.')).toBeVisible();
  expect(await systemPromptOf(studio, 2)).not.toContain(RULE);
  await page.getByRole('button', { name: 'Ignore' }).click();
  await expect.element(page.getByText('This workspace has instructions')).not.toBeInTheDocument();
  expect(await systemPromptOf(studio, 3)).not.toContain(RULE);
});

test('a change in the middle of an answer takes effect with the next one', async ({ studio }) => {
  await studio.open({ files: { '/AGENTS.md': RULE } });
  await allow('/AGENTS.md');
  const question = prompt('Change them');
  await model.script(question, [
    { calls: [{ name: 'delete_path', arguments: '{"path":"/AGENTS.md"}' }] },
    { text: 'Changed.' },
  ]);
  await studio.say(question);
  await studio.settled();
  const prompts = (await model.requestsFor(question)).map(({ messages }) => String(messages[0]?.content));
  expect(prompts.length).toBeGreaterThan(1);
  for (const one of prompts) expect(one).toContain(RULE);
  expect(await systemPromptOf(studio, 2)).not.toContain(RULE);
});

test('a skill is named, and read when it is needed', async ({ studio }) => {
  await studio.open({ files: { '/.agents/skills/release/SKILL.md': SKILL } });
  await allow('/.agents/skills/release/SKILL.md');
  const question = prompt('Publish a version');
  await model.script(question, [
    { calls: [{ name: 'read_skill', arguments: '{"name":"release"}' }] },
    { text: 'I run the tests.' },
  ]);
  await studio.say(question);
  await studio.settled();
  const [first, second] = await model.requestsFor(question);
  expect(String(first?.messages[0]?.content)).toContain('- release: Use it to publish a version.');
  expect(String(first?.messages[0]?.content)).not.toContain('Run the tests first.');
  expect(JSON.stringify(second?.messages)).toContain('Run the tests first.');
});

test('further files are named in the settings, and problems are shown', async ({ studio }) => {
  await studio.open({ files: { '/CLAUDE.md': RULE, '/AGENTS.md': 'x'.repeat(1_000_001) } });
  await studio.openSettings('Tools');
  const field = page.getByRole('textbox', { name: 'Additional files' });
  await field.fill('CLAUDE.md');
  await expect.element(page.getByText('“CLAUDE.md” isn’t a valid path. Start it with “/”.')).toBeVisible();
  await field.fill('/CLAUDE.md');
  (await field.findElement()).blur();
  await page.getByRole('button', { name: 'Review project files…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Project files in this workspace' });
  await expect.element(dialog).toContainText('/AGENTS.md Not used: the file is larger than 1 MB.');
  await dialog.getByRole('switch', { name: 'Allow /CLAUDE.md' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await keyboard.press('Escape');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(await systemPromptOf(studio, 1)).toContain(RULE);
});

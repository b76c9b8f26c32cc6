import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

const attach = (...names: string[]) =>
  page
    .locate('input[type=file]')
    .first()
    .upload(names.map((name) => new File([`contents of ${name}`], name, { type: 'text/plain' })));

const newThread = () => page.getByRole('button', { name: 'New thread', exact: true }).click();

const attached = (name: string) => page.getByRole('button', { name: `Remove ${name}` });

test('what a draft has attached is there after a reload, until it is removed or sent', async ({ studio }) => {
  const question = prompt('What is in it?');
  await model.script(question, [{ text: 'Some text.' }]);
  await studio.open();
  await studio.message.fill('Look at these');
  await attach('one.txt', 'two.txt', 'three.txt');
  await expect.element(attached('three.txt')).toBeVisible();
  await attached('two.txt').click();
  await studio.reopen();
  await expect.element(studio.message).toHaveValue('Look at these');
  await expect.element(attached('one.txt')).toBeVisible();
  await expect.element(attached('three.txt')).toBeVisible();
  await expect.element(attached('two.txt')).not.toBeInTheDocument();
  await studio.reopen();
  await expect.element(attached('three.txt')).toBeVisible();
  await studio.say(question);
  await studio.settled();
  expect(JSON.stringify(await model.requestsWith(question))).toContain('contents of three.txt');
  await newThread();
  await expect.element(attached('one.txt')).not.toBeInTheDocument();
  await studio.reopen();
  await newThread();
  await attach('four.txt');
  await expect.element(attached('four.txt')).toBeVisible();
  await expect.element(attached('one.txt')).not.toBeInTheDocument();
});

test('each thread keeps its own files, also those of threads that are not shown', async ({ studio }) => {
  const question = prompt('Hello');
  await model.script(question, [{ text: 'Hello.' }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  await attach('answer.txt');
  await expect.element(attached('answer.txt')).toBeVisible();
  await newThread();
  await expect.element(attached('answer.txt')).not.toBeInTheDocument();
  await attach('fresh.txt');
  await expect.element(attached('fresh.txt')).toBeVisible();
  await studio.reopen();
  await newThread();
  await expect.element(attached('fresh.txt')).toBeVisible();
  await expect.element(attached('answer.txt')).not.toBeInTheDocument();
  await studio.threads.getByText(question).click();
  await expect.element(attached('answer.txt')).toBeVisible();
  await expect.element(attached('fresh.txt')).not.toBeInTheDocument();
});

test('what was changed in a sent message is there again after Esc and a reload, and not after Cancel', async ({
  studio,
}) => {
  const question = prompt('Hello');
  await model.script(question, [{ text: 'Hello.' }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  const box = page.getByRole('textbox', { name: 'Edit message' });
  await edit.click();
  await box.fill('A long change');
  await keyboard.press('Escape');
  await expect.element(box).not.toBeInTheDocument();
  await edit.click();
  await expect.element(box).toHaveValue('A long change');
  await studio.reopen();
  await edit.click();
  await expect.element(box).toHaveValue('A long change');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await edit.click();
  await expect.element(box).toHaveValue(question);
});

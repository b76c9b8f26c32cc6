import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt } from '#e2e/lib/prompt.ts';

vi.mock('./waiting-out-of-sight.tsx', () => {
  throw new Error('No code today.');
});

test('a notice whose code cannot be loaded leaves the conversation and the message box', async ({ studio }) => {
  const question = prompt('Compute');
  await model.script(question, [{ calls: evalCall('1 + 1') }, { text: 'It is 2.' }]);
  // The messages of React and Vitest about it.
  studio.expectedProblems.push('No code today.', 'error when mocking a module');
  await studio.open();
  await studio.say(question);
  await expect.element(page.getByRole('main').getByRole('alert')).toContainText('Try again');
  await studio.allowOnce.click();
  await studio.settled();
  await expect.element(studio.answers.last()).toContainText('It is 2.');
  await expect.element(studio.message).toBeVisible();
});

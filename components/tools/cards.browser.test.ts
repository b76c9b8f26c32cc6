import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { mouse } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt, readCall, writeCall } from '#e2e/lib/prompt.ts';

test('an answer whose parts refer to each other keeps its links and footnotes', async ({ studio }) => {
  const question = prompt('Where is it written?');
  await model.script(question, [
    { text: 'See [the docs][d], as noted[^1].\n\n[d]: https://example.com/docs\n\n[^1]: In the second part.' },
  ]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  await expect
    .element(page.getByRole('link', { name: 'the docs' }))
    .toHaveAttribute('href', 'https://example.com/docs');
  await expect.element(studio.answers).toContainText('In the second part.');
});

describe('tool cards', () => {
  test('the user can run a read again with the current file', async ({ studio }) => {
    const question = prompt('Read it');
    await model.script(question, [
      { calls: readCall('/a.txt') },
      { calls: writeCall('/a.txt', 'omega') },
      { text: 'Read and written.' },
    ]);
    await studio.open({ files: { '/a.txt': 'alpha' } });
    await studio.say(question);
    await studio.settled();
    await page.getByRole('button', { name: 'Options for read_file' }).click();
    await page.getByRole('menuitem', { name: 'Run again' }).click();
    await expect.element(studio.call('read_file')).toContainText('alpha');
    await expect.element(studio.call('read_file').getByRole('status')).toContainText('omega');
    expect(await model.requestsFor(question)).toHaveLength(3);
  });

  test('what waits for the user is shown in the title bar, the list, and where it is scrolled away', async ({
    studio,
  }) => {
    const question = prompt('Compute');
    await model.script(question, [
      { text: 'Line.\n\n'.repeat(80), calls: evalCall('6 * 7'), piece: 200 },
      { text: '42.' },
    ]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.allow).toBeVisible();
    await expect.poll(() => document.title).toMatch(/^Waiting for you · Compute/);
    await expect.element(studio.threads).toContainText('Waiting for you');
    await expect.element(page.getByText('1 tool call waiting for you')).not.toBeInTheDocument();
    await studio.answers.hover();
    await mouse.wheel(0, -5_000);
    await expect.element(page.getByText('1 tool call waiting for you')).toBeVisible();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect.element(studio.allow).toBeInViewport();
    await expect.element(page.getByText('1 tool call waiting for you')).not.toBeInTheDocument();
    await studio.allow.click();
    await studio.settled();
    await expect.poll(() => document.title).toMatch(/^Compute/);
  });
});

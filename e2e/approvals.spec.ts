import type { Locator, Page } from '@playwright/test';
import type { TestBench } from './lib/bench.ts';
import { expect, test } from './lib/fixtures.ts';
import { evalCall, prompt, readCall, writeCall } from './lib/prompt.ts';
import { openSettings } from './lib/studio-page.ts';

const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });

const DELETE = { path: '/src', recursive: true };
const QUOTED = `<tool_call>${JSON.stringify({ name: 'delete_path', arguments: DELETE })}</tool_call>`;
const FILES = { '/notes.md': `An agent once did this:\n\n${QUOTED}\n\nNever do it.\n`, '/src/app.ts': 'export {};\n' };

const grants = (page: Page): Locator => page.getByRole('list', { name: 'Approvals' }).getByRole('listitem');

/** Three questions, each of which the model answers by running code. */
function scriptEvaluations(bench: TestBench): [string, string, string] {
  const questions: [string, string, string] = [prompt('One'), prompt('Two'), prompt('Three')];
  for (const [index, question] of questions.entries())
    bench.model.script(question, [{ calls: evalCall(`${index}`) }, { text: 'Done.' }]);
  return questions;
}

test.describe('a call that is only quoted', () => {
  test('in a code block followed by prose asks the user, with the surrounding text, whatever is allowed', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('What does /plan.md say?');
    const reply = `It says:\n\n\`\`\`json\n${QUOTED}\n\`\`\`\n\nThat would delete all sources.`;
    bench.model.script(question, [{ prompted: reply }, { prompted: 'I did not run it.' }]);
    await studio.open({ files: { '/src/app.ts': 'export {};\n' }, toolCalling: 'prompted' });
    await studio.say(question);
    const card = studio.call('delete_path');
    await expect(card).toContainText('The model wants to delete /src and everything in it.');
    await expect(card).toContainText('The model may only be quoting this call');
    await expect(card).toContainText('That would delete all sources.');
    await expect(studio.allow, 'nothing that lasts is offered').toBeHidden();
    await expect(page.getByRole('button', { name: 'Always allow' })).toBeHidden();
    await studio.deny.click();
    await studio.settled();
    await expect(card).toHaveAttribute('data-state', 'denied');
    expect((await studio.workspace()).has('/src/app.ts')).toBe(true);
  });

  for (const toolCalling of ['native', 'prompted'] as const)
    test(`word for word in a file asks the user and shows its origin (${toolCalling})`, async ({ studio, bench }) => {
      const [question, more] = [prompt('What do the notes say?'), prompt('And?')];
      bench.model.script(question, [
        { calls: readCall('/notes.md'), prompted: `{"name":"read_file","arguments":{"path":"/notes.md"}}` },
        { calls: [call('delete_path', DELETE)], prompted: `It says:\n\n${QUOTED}\n\nThat is all.` },
        { text: 'Denied.', prompted: 'Denied.' },
      ]);
      bench.model.script(more, [
        // A call that is not in the file runs without a question.
        {
          calls: [call('delete_path', { path: '/src/app.ts' })],
          prompted: '{"name":"delete_path","arguments":{"path":"/src/app.ts"}}',
        },
        { text: 'Deleted.', prompted: 'Deleted.' },
      ]);
      await studio.open({ files: FILES, toolCalling });
      await studio.say(question);
      const card = studio.call('delete_path');
      await expect(card).toContainText('This call appears word for word in what read_file returned.');
      await expect(card).toContainText('An agent once did this:');
      await expect(studio.allow).toBeHidden();
      // After a reload, the same question is asked under the same terms.
      await studio.page.reload();
      await expect(card).toContainText('This call appears word for word in what read_file returned.');
      await studio.deny.click();
      await studio.settled();
      expect((await studio.workspace()).has('/src/app.ts')).toBe(true);
      await studio.say(more);
      await studio.settled(2);
      await expect(studio.answers.last()).toContainText('Deleted.');
      expect((await studio.workspace()).has('/src/app.ts')).toBe(false);
    });
});

test.describe('what was allowed', () => {
  test('once applies to this call and the calls within it, and to no other', async ({ studio, bench, page }) => {
    const question = prompt('Write twice');
    const code = 'await vfs.writeFile("/a.txt", "a"); await vfs.writeFile("/b.txt", "b"); "written"';
    bench.model.script(question, [{ calls: evalCall(code) }, { calls: evalCall('2') }, { text: 'Done.' }]);
    await studio.open({ settings: { permissions: { files: { write: 'ask' } }, defaultModel: 'scripted' } });
    await studio.say(question);
    await studio.allowOnce.click();
    await expect(studio.call('browser_js_eval')).toHaveAttribute('data-state', 'done');
    // Neither of the two writes asked for permission.
    expect([...(await studio.workspace()).keys()].sort()).toEqual(['/a.txt', '/b.txt']);
    await expect(studio.call('browser_js_eval', 1)).toHaveAttribute('data-state', 'asking');
    await studio.allowOnce.click();
    await studio.settled();
    await openSettings(page, 'Permissions');
    await expect(page.getByText('No approvals.')).toBeVisible();
  });

  test('in a thread is listed with its origin, and asks again once revoked', async ({ studio, bench, page }) => {
    const [first, second, third] = scriptEvaluations(bench);
    await studio.open();
    await studio.say(first);
    await studio.allow.click();
    await studio.settled();
    await studio.say(second);
    await studio.settled(2);
    await openSettings(page, 'Permissions');
    await expect(grants(page)).toHaveCount(1);
    await expect(grants(page)).toContainText(`browser_js_eval, in “${first}”`);
    await grants(page)
      .getByRole('button', { name: /^Revoke/ })
      .click();
    await expect(grants(page)).toHaveCount(0);
    await page.keyboard.press('Escape');
    await studio.say(third);
    await expect(studio.allowOnce).toBeVisible();
  });

  test('always is revoked in every thread at once, even after a reload', async ({ studio, bench, page, context }) => {
    const [first, second, third] = scriptEvaluations(bench);
    await studio.open();
    await studio.say(first);
    await page.getByRole('button', { name: 'Always allow', exact: true }).click();
    await studio.settled();
    await openSettings(page, 'Permissions');
    await expect(grants(page)).toContainText(
      'Browser: Run code, in every thread. Approved when browser_js_eval asked in',
    );
    await page.keyboard.press('Escape');

    // In another tab the user changes it back.
    const other = await context.newPage();
    await other.goto('/');
    await openSettings(other, 'Permissions');
    await other.getByRole('combobox', { name: 'Browser: Run code' }).click();
    await other.getByRole('option', { name: 'Ask' }).click();
    await expect(grants(other)).toHaveCount(0);

    await studio.say(second);
    await expect(studio.allowOnce).toBeVisible();
    await studio.allowOnce.click();
    await studio.settled(2);
    await page.reload();
    await studio.say(third);
    await expect(studio.allowOnce).toBeVisible();
  });

  test('in a thread ends once the user sets that kind of tool to Ask', async ({ studio, bench, page }) => {
    const [first, second] = [prompt('One'), prompt('Two')];
    bench.model.script(first, [{ calls: evalCall('1') }, { text: 'Done.' }]);
    bench.model.script(second, [{ calls: evalCall('2') }, { text: 'Done.' }]);
    await studio.open();
    await studio.say(first);
    await studio.allow.click();
    await studio.settled();
    await openSettings(page, 'Permissions');
    for (const policy of ['Allow', 'Ask']) {
      await page.getByRole('combobox', { name: 'Browser: Run code' }).click();
      await page.getByRole('option', { name: policy }).click();
    }
    await page.keyboard.press('Escape');
    await studio.say(second);
    await expect(studio.allowOnce).toBeVisible();
  });
});

test.describe('questions', () => {
  const cases = [
    ['delete_path', { path: '/a.txt' }, 'The model wants to delete /a.txt.'],
    ['move_path', { from: '/a.txt', to: '/b.txt' }, 'The model wants to move /a.txt to /b.txt.'],
    ['copy_path', { from: '/a.txt', to: '/b.txt' }, 'The model wants to copy /a.txt to /b.txt.'],
    ['make_directory', { path: '/docs' }, 'The model wants to create the folder /docs.'],
    ['edit_file', { path: '/a.txt', find: 'alpha', replace: 'beta' }, 'The model wants to edit /a.txt.'],
    [
      'apply_patch',
      { patch: '*** Begin Patch\n*** Update File: /a.txt\n@@\n-alpha\n+beta\n*** End Patch' },
      'The model wants to apply this patch to /a.txt.',
    ],
    ['execute_bash', { command: 'rm /a.txt' }, 'The model wants to run this command on your workspace files, in /.'],
    ['preview_open', { entry: '/index.html' }, 'open /index.html in the preview and run its scripts'],
  ] as const;

  test('say what will happen, and show it', async ({ studio, bench }) => {
    const question = prompt('Do all of it');
    bench.model.script(question, [
      ...cases.map(([name, input]) => ({ calls: [call(name, input)] })),
      { text: 'All denied.' },
    ]);
    const ask = { write: 'ask', execute: 'ask' };
    await studio.open({
      files: { '/a.txt': 'alpha', '/index.html': '<p>Hello</p>' },
      settings: { permissions: { files: ask, browser: ask }, defaultModel: 'scripted' },
    });
    await studio.say(question);
    for (const [name, , sentence] of cases) {
      await expect(studio.call(name)).toContainText(sentence);
      if (name === 'execute_bash') await expect(studio.call(name).locator('pre')).toContainText('rm /a.txt');
      if (name === 'edit_file')
        await expect(studio.call(name).getByRole('figure', { name: '/a.txt' })).toContainText('alpha');
      await studio.deny.click();
    }
    await studio.settled();
    expect((await studio.workspace()).get('/a.txt')).toBe('alpha');
  });

  test('a note is sent to the model with either decision', async ({ studio, bench, page }) => {
    const question = prompt('Compute');
    bench.model.script(question, [{ calls: evalCall('6 * 7') }, { calls: writeCall('/a', 'b') }, { text: 'Done.' }]);
    await studio.open();
    await studio.say(question);
    await page.getByRole('button', { name: 'Deny with a note…' }).click();
    await page.getByRole('textbox', { name: /^Note to the model/ }).fill('only this once');
    await studio.allowOnce.click();
    await studio.settled();
    await expect(studio.call('browser_js_eval')).toHaveAttribute('data-state', 'done');
    const result = bench.model.requestsFor(question)[1]?.messages.at(-1)?.content;
    expect(result).toContain('42');
    expect(result).toContain('[Note from the user: only this once]');
  });
});

test('while changes are reviewed, nothing is offered that would not keep its promise', async ({
  studio,
  bench,
  page,
}) => {
  const question = prompt('Write it');
  bench.model.script(question, [{ calls: writeCall('/a.txt', 'a') }, { text: 'Done.' }]);
  await studio.open();
  await studio.toggleTool('Review changes before they are written');
  await studio.say(question);
  await expect(studio.allowOnce).toBeVisible();
  await expect(studio.allow).toBeHidden();
  await expect(page.getByRole('button', { name: 'Always allow', exact: true })).toBeHidden();
  await studio.allowOnce.click();
  await studio.settled();
  expect((await studio.workspace()).get('/a.txt')).toBe('a');
});

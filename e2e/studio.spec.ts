// More than 400 lines: the walk of a person through the whole page; the tests are short and share their helpers.
import { readFileSync } from 'node:fs';
import type { TestBench } from './lib/bench.ts';
import { expect, test } from './lib/fixtures.ts';
import { evalCall, prompt, readCall, replaceTurns, writeCall } from './lib/prompt.ts';
import { openSettings, type StudioPage } from './lib/studio-page.ts';

test.describe('threads', () => {
  test('are named after their first words, renamed, searched, deleted and restored', async ({
    studio,
    bench,
    page,
  }) => {
    const [first, second] = [prompt('Plan a garden'), prompt('Write a poem')];
    for (const question of [first, second]) bench.model.script(question, [{ text: 'All right.' }]);
    await studio.open();
    await studio.say(first);
    await studio.settled();
    await expect(studio.threads.getByRole('link', { name: first })).toBeVisible();
    await page.getByRole('button', { name: 'New thread' }).click();
    await studio.say(second);
    await studio.settled();
    await studio.threads.getByRole('link', { name: first }).click();
    await expect(page.getByRole('article', { name: 'You' })).toContainText(first);

    await page.getByRole('button', { name: `Options for ${first}` }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('The garden');
    await page.getByRole('textbox', { name: 'Title' }).press('Enter');
    await expect(studio.threads.getByRole('link', { name: 'The garden' })).toBeVisible();

    await page.getByRole('searchbox', { name: 'Search threads' }).fill('GARDEN');
    await expect(studio.threads.getByRole('link')).toHaveCount(1);
    await page.getByRole('searchbox', { name: 'Search threads' }).fill('');

    await page.getByRole('button', { name: 'Options for The garden' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(studio.threads.getByRole('link', { name: 'The garden' })).toBeHidden();
    await studio.undo.click();
    await expect(studio.threads.getByRole('link', { name: 'The garden' })).toBeVisible();
    await expect(page.getByRole('article', { name: 'You' })).toContainText(first);
  });

  test('restored with a pending call: it waits again, and runs', async ({ studio, bench, page }) => {
    const question = prompt('Compute');
    bench.model.script(question, [{ calls: evalCall('6 * 7') }, { text: 'It is 42.' }]);
    await studio.open();
    await studio.say(question);
    await expect(studio.allow).toBeVisible();
    await page.getByRole('button', { name: `Options for ${question}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(studio.allow).toBeHidden();
    await studio.undo.click();
    await studio.allow.click();
    await studio.settled();
    await expect(studio.answers).toContainText('It is 42.');
    expect(bench.model.requestsFor(question)).toHaveLength(2);
  });

  test('that are deleted are deleted on the server', async ({ studio, bench, page }) => {
    const question = prompt('Forget me');
    bench.model.script(question, [{ text: 'I will.' }]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    const { threadId } = studio;
    expect((await page.request.get(`/api/threads/${threadId}`)).status()).toBe(200);
    await page.getByRole('button', { name: `Options for ${question}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect
      .poll(async () => (await page.request.get(`/api/threads/${threadId}`)).status(), { timeout: 20_000 })
      .toBe(404);
  });

  test('continue in the background while another one is open', async ({ studio, bench, page }) => {
    const [first, second] = [prompt('Slow'), prompt('Quick')];
    bench.model.script(first, [{ text: 'Slowly done.', hold: { after: 5, gate: first } }]);
    bench.model.script(second, [{ text: 'Quickly done.' }]);
    await studio.open();
    await studio.say(first);
    await expect(studio.answers).toContainText('Slowl');
    await page.getByRole('button', { name: 'New thread' }).click();
    await studio.say(second);
    await expect(studio.answers).toContainText('Quickly done.');
    bench.model.open(first);
    await studio.threads.getByRole('link', { name: first }).click();
    await expect(studio.answers).toContainText('Slowly done.');
  });

  test('that are deleted in another tab are closed here, and undo works there', async ({
    studio,
    bench,
    page,
    context,
  }) => {
    const question = prompt('Here and there');
    bench.model.script(question, [{ text: 'Both.' }]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(other.getByRole('article', { name: 'Assistant' })).toContainText('Both.');
    await page.getByRole('button', { name: `Options for ${question}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(other.getByRole('article', { name: 'Assistant' })).toBeHidden();
    await expect(other).not.toHaveURL(/thread=/);
    // A tab that opens in the meantime leaves it to be restored.
    await other.reload();
    await expect(other.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible();
    await studio.undo.click();
    await expect(studio.answers).toContainText('Both.');
    await page.reload();
    await expect(studio.answers).toContainText('Both.');
  });

  test('keep a draft in each', async ({ studio, bench, page }) => {
    const question = prompt('Hello');
    bench.model.script(question, [{ text: 'Hello.' }]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    await studio.message.fill('half a thought');
    await page.getByRole('button', { name: 'New thread' }).click();
    await expect(studio.message).toHaveValue('');
    await studio.threads.getByRole('link', { name: question }).click();
    await expect(studio.message).toHaveValue('half a thought');
  });

  test('have their own system prompt', async ({ studio, bench, page }) => {
    const question = prompt('Who are you?');
    bench.model.script(question, [{ text: 'A pirate.' }]);
    await studio.open();
    await page.getByRole('button', { name: 'Thread options' }).click();
    await page.getByRole('menuitem', { name: 'System prompt' }).click();
    await page.getByRole('textbox', { name: 'System prompt' }).fill('You are a pirate.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await studio.say(question);
    await studio.settled();
    expect(bench.model.requestsFor(question)[0]?.messages[0]?.content).toMatch(/^You are a pirate\./);
  });
});

test.describe('composer', () => {
  test('Shift-Enter inserts a line break, Enter sends', async ({ studio, bench }) => {
    const question = prompt('two');
    bench.model.script(`one\n${question}`, [{ text: 'Both lines.' }]);
    await studio.open();
    await studio.message.fill('one');
    await studio.message.press('Shift+Enter');
    await studio.message.pressSequentially(question);
    await studio.message.press('Enter');
    await studio.settled();
    await expect(studio.answers).toContainText('Both lines.');
  });

  test('the message box grows with its lines, up to a limit', async ({ studio }) => {
    await studio.open();
    const heightFor = async (lines: number) => {
      await studio.message.fill('line\n'.repeat(lines - 1));
      return (await studio.message.boundingBox())?.height ?? 0;
    };
    const [one, five, many, more] = [await heightFor(1), await heightFor(5), await heightFor(50), await heightFor(500)];
    expect(five).toBeGreaterThan(one * 2);
    expect(many).toBeGreaterThan(five);
    expect(more).toBe(many);
  });

  test('attaches text and images, and rejects other files with a reason', async ({ studio, bench, page }) => {
    const question = prompt('What is in these?');
    await studio.open();
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('remember the milk') },
        { name: 'dot.png', mimeType: 'image/png', buffer: png },
        { name: 'program.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 3]) },
      ]);
    await expect(page.getByRole('button', { name: 'Remove note.txt' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Remove dot.png' })).toBeVisible();
    await expect(page.getByText('program.bin is neither an image nor text')).toBeVisible();
    await studio.message.fill(question);
    await studio.message.press('Enter');
    await expect(page.getByRole('img', { name: 'Image dot.png' })).toBeVisible();
    await expect
      .poll(() => bench.model.requests.filter(({ messages }) => JSON.stringify(messages).includes(question)).length)
      .toBe(1);
    const sent = JSON.stringify(
      bench.model.requests.find(({ messages }) => JSON.stringify(messages).includes(question))?.messages,
    );
    expect(sent).toContain('remember the milk');
    expect(sent).toContain('image_url');
  });

  test('a queued message that is withdrawn is in the message box again, files included', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('Talk');
    bench.model.script(question, [{ text: 'A long answer.', hold: { after: 5, gate: question } }]);
    await studio.open();
    await studio.say(question);
    await expect(studio.answers).toContainText('A lon');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('remember the milk') });
    await expect(page.getByRole('button', { name: 'Remove note.txt' })).toBeVisible();
    await studio.say('one thing more');
    await expect(page.getByText('Queued until the current answer is done')).toBeVisible();
    await studio.message.fill('and another');
    await page.getByRole('button', { name: 'Don’t send' }).click();
    await expect(studio.message).toHaveValue('one thing more\nand another');
    await expect(page.getByRole('button', { name: 'Remove note.txt' })).toBeVisible();
    bench.model.open(question);
    await studio.settled(1);
    await expect(studio.answers).toHaveCount(1);
  });
});

test.describe('focus', () => {
  test('returns to where it was when a dialog closes, and stays in a card that was answered', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('Compute');
    bench.model.script(question, [{ calls: evalCall('6 * 7') }, { text: '42.' }]);
    await studio.open();
    await studio.message.focus();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(studio.message).toBeFocused();
    const settings = page.getByRole('button', { name: 'Settings' });
    await settings.click();
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Close' }).click();
    await expect(settings).toBeFocused();
    await studio.say(question);
    await studio.allow.focus();
    await page.keyboard.press('Enter');
    await studio.settled();
    await expect(studio.call('browser_js_eval').getByRole('button').first()).toBeFocused();
    await page.getByRole('button', { name: /^Options for Compute/ }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  });
});

test('an answer whose parts refer to each other keeps its links and footnotes', async ({ studio, bench, page }) => {
  const question = prompt('Where is it written?');
  bench.model.script(question, [
    { text: 'See [the docs][d], as noted[^1].\n\n[d]: https://example.com/docs\n\n[^1]: In the second part.' },
  ]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  await expect(page.getByRole('link', { name: 'the docs' })).toHaveAttribute('href', 'https://example.com/docs');
  await expect(studio.answers).toContainText('In the second part.');
});

test.describe('tool cards', () => {
  test('the user can run a read again with the current file', async ({ studio, bench, page }) => {
    const question = prompt('Read it');
    bench.model.script(question, [
      { calls: readCall('/a.txt') },
      { calls: writeCall('/a.txt', 'omega') },
      { text: 'Read and written.' },
    ]);
    await studio.open({ files: { '/a.txt': 'alpha' } });
    await studio.say(question);
    await studio.settled();
    await page.getByRole('button', { name: 'Options for read_file' }).click();
    await page.getByRole('menuitem', { name: 'Run again' }).click();
    await expect(studio.call('read_file')).toContainText('alpha');
    await expect(studio.call('read_file').getByRole('status')).toContainText('omega');
    expect(bench.model.requestsFor(question)).toHaveLength(3);
  });

  test('what waits for the user is shown in the title bar, the list, and where it is scrolled away', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('Compute');
    bench.model.script(question, [
      { text: 'Line.\n\n'.repeat(80), calls: evalCall('6 * 7'), piece: 200 },
      { text: '42.' },
    ]);
    await studio.open();
    await studio.say(question);
    await expect(studio.allow).toBeVisible();
    await expect(page).toHaveTitle(/^Waiting for you · Compute/);
    await expect(studio.threads).toContainText('Waiting for you');
    await expect(page.getByText('1 call waiting for you')).toBeHidden();
    await studio.answers.hover();
    await page.mouse.wheel(0, -5_000);
    await expect(page.getByText('1 call waiting for you')).toBeVisible();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(studio.allow).toBeInViewport();
    await expect(page.getByText('1 call waiting for you')).toBeHidden();
    await studio.allow.click();
    await studio.settled();
    await expect(page).toHaveTitle(/^Compute/);
  });
});

/** Opens the studio with a file that says “one”, and types “ and two” after it. */
async function typeIntoFile(studio: StudioPage): Promise<void> {
  await studio.open({ files: { '/a.txt': 'one' } });
  await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('one', { timeout: 20_000 });
  await studio.editor.locator('.view-lines').click();
  await studio.page.keyboard.press('Control+End');
  await studio.page.keyboard.type(' and two');
}

test.describe('workspace', () => {
  test('a file the model writes is in the tree and opens in the editor', async ({ studio, bench, page }) => {
    const question = prompt('Create Button.tsx');
    bench.model.script(question, [
      { calls: writeCall('/Button.tsx', 'export const Button = 1;\n') },
      { text: 'Created.' },
    ]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    await studio.files.getByRole('treeitem', { name: 'Button.tsx' }).click();
    await expect(studio.editor.locator('.view-lines')).toContainText('export const Button = 1;', { timeout: 20_000 });
    await page.getByRole('button', { name: 'Close Button.tsx' }).click();
    await studio.call('write_file').getByRole('button').first().click();
    await studio.call('write_file').getByRole('button', { name: 'Open file' }).click();
    await expect(studio.editor.locator('.view-lines')).toContainText('export const Button = 1;');
  });

  test('edits are saved, and a change by the model shows at once with the cursor where it was', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('Change the end');
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\n');
    bench.model.script(question, [
      {
        calls: [
          {
            name: 'edit_file',
            arguments: JSON.stringify({ path: '/notes.md', find: 'line 19', replace: 'line 19\nadded by the model' }),
          },
        ],
      },
      { text: 'Done.' },
    ]);
    await studio.open({ files: { '/notes.md': `${lines}\n` } });
    await studio.files.getByRole('treeitem', { name: 'notes.md' }).click();
    await expect(studio.editor.locator('.view-lines')).toContainText('line 3', { timeout: 20_000 });
    await studio.editor.locator('.view-line').nth(2).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' edited');
    await expect.poll(async () => (await studio.workspace()).get('/notes.md')).toContain('line 2 edited');
    await studio.say(question);
    await studio.settled();
    await expect(studio.editor.locator('.view-lines')).toContainText('added by the model');
    await studio.editor.locator('.view-line').nth(2).click();
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await expect.poll(async () => (await studio.workspace()).get('/notes.md')).toContain('line 2 edited!');
  });

  test('[R19] a change by the model never overwrites unsaved edits: the user decides', async ({
    studio,
    bench,
    page,
  }) => {
    await makeConflict(studio, bench);
    expect(withoutTyped((await studio.workspace()).get('/a.txt'))).toBe(THEIRS);
    await page.getByRole('button', { name: 'Keep my edits' }).click();
    // The keys that were faster than the model, however many, and nothing else.
    const saved = async () => (await studio.workspace()).get('/a.txt') ?? '';
    await expect.poll(saved).toContain('x');
    expect((await saved()).replaceAll('x', '')).toMatch(/^before\n(by the model \d\n)?$/);
  });

  test('[R20] edits that wait for the user are in the history, and the file is unchanged', async ({
    studio,
    bench,
    page,
  }) => {
    await makeConflict(studio, bench);
    await page.getByRole('button', { name: 'Timeline' }).click();
    const steps = page
      .getByRole('list', { name: 'Timeline' })
      .getByRole('listitem')
      .filter({ has: page.locator('time') });
    // The typed text, and the step that undoes it.
    await expect(steps.nth(1)).toContainText('You');
    expect(withoutTyped((await studio.workspace()).get('/a.txt'))).toBe(THEIRS);
    await steps
      .nth(1)
      .getByRole('button', { name: /a\.txt/ })
      .click();
    await expect(studio.editor.locator('.monaco-diff-editor')).toContainText('xx', { timeout: 20_000 });
    await page.getByRole('button', { name: 'a.txt (unsaved)' }).click();
    await expect(page.getByText('changed while you had unsaved edits')).toBeVisible();
  });

  test('[R19] text that was not saved when the page closed is saved beside the file, with a notice', async ({
    studio,
    bench,
    page,
  }) => {
    await makeConflict(studio, bench);
    await page.reload();
    await expect(page.getByText('/a.txt changed after you typed in it')).toBeVisible();
    const files = await studio.workspace();
    expect(withoutTyped(files.get('/a.txt'))).toBe(THEIRS);
    expect(files.get('/a.txt.unsaved')).toContain('x');
    await page.getByRole('button', { name: 'Open file' }).click();
    await expect(studio.editor.locator('.view-lines')).toContainText('x', { timeout: 20_000 });
  });

  for (const [name, eol] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ] as const) {
    test(`a file keeps its line endings, and opening it does not change it (${name})`, async ({
      studio,
      bench,
      page,
    }) => {
      const question = prompt('Write it anew');
      bench.model.script(question, [...replaceTurns('/a.txt', `one${eol}two${eol}three${eol}`), { text: 'Done.' }]);
      await studio.open({ files: { '/a.txt': `one${eol}two${eol}` } });
      await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
      await expect(studio.editor.locator('.view-lines')).toContainText('two', { timeout: 20_000 });
      await studio.say(question);
      await studio.settled();
      await expect(studio.editor.locator('.view-lines')).toContainText('three');
      await expect(studio.editor.getByRole('alert')).toBeHidden();
      await studio.editor.locator('.view-line').first().click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('zero ');
      await expect
        .poll(async () => (await studio.workspace()).get('/a.txt'))
        .toBe(`zero one${eol}two${eol}three${eol}`);
    });
  }

  test('text typed just before a reload is in the file afterwards', async ({ studio, page }) => {
    await typeIntoFile(studio);
    await page.reload();
    await expect(studio.message).toBeVisible();
    expect((await studio.workspace()).get('/a.txt')).toBe('one and two');
  });

  test('the open tabs are restored after a reload', async ({ studio, page }) => {
    await studio.open({ files: { '/a.txt': 'one', '/b.txt': 'two' } });
    for (const name of ['a.txt', 'b.txt']) await studio.files.getByRole('treeitem', { name }).click();
    await expect(studio.editor.locator('.view-lines')).toContainText('two', { timeout: 20_000 });
    await page.reload();
    await expect(studio.editor.locator('.view-lines')).toContainText('two', { timeout: 20_000 });
    await studio.editor.getByRole('button', { name: 'a.txt', exact: true }).click();
    await expect(studio.editor.locator('.view-lines')).toContainText('one');
  });

  test('a tab follows its renamed file, with the unsaved text', async ({ studio, page }) => {
    await typeIntoFile(studio);
    await page.getByRole('button', { name: 'Options for /a.txt' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const name = page.getByRole('textbox', { name: 'New name for a.txt' });
    await expect(name, 'the keyboard begins in the field').toBeFocused();
    await name.fill('b.txt');
    await name.press('Enter');
    await expect(studio.editor.getByRole('button', { name: 'b.txt', exact: true })).toBeVisible();
    await expect(studio.editor.locator('.view-lines')).toContainText('one and two');
    expect(await studio.workspace()).toEqual(new Map([['/b.txt', 'one and two']]));
  });

  test('closing a tab never drops edits that wait for a decision without asking', async ({ studio, bench, page }) => {
    await makeConflict(studio, bench);
    await studio.editor.getByRole('button', { name: 'Close a.txt' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard your edits to a.txt?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(studio.editor.locator('.view-lines')).toContainText('x');
    await studio.editor.getByRole('button', { name: 'Close a.txt' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(studio.editor.getByRole('button', { name: 'Close a.txt' })).toBeHidden();
    expect(withoutTyped((await studio.workspace()).get('/a.txt'))).toBe(THEIRS);
  });

  test('files and folders are created, renamed and deleted', async ({ studio, page }) => {
    await studio.open({ files: { '/src/a.ts': 'a' } });
    await page.getByRole('button', { name: 'New file', exact: true }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill('/docs/new file.md');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(studio.files.getByRole('treeitem', { name: 'docs' })).toBeVisible();
    await page.getByRole('button', { name: 'Options for /src', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'New name for src' }).fill('source');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => [...(await studio.workspace()).keys()].sort())
      .toEqual(['/docs/new file.md', '/source/a.ts']);
    await page.getByRole('button', { name: 'Options for /docs', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(async () => [...(await studio.workspace()).keys()]).toEqual(['/source/a.ts']);
    await page.getByRole('button', { name: 'New file', exact: true }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill('/../x');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('isn’t valid in the workspace');
  });
});

test.describe('data', () => {
  test('a backup of threads and files is saved, and restored in another browser', async ({
    studio,
    bench,
    page,
    browser,
  }) => {
    const question = prompt('Remember this');
    bench.model.script(question, [{ calls: evalCall('42') }, { text: 'It is kept.' }]);
    await studio.open({ files: { '/docs/你好.md': 'kept' } });
    await studio.say(question);
    await studio.allow.click();
    await studio.settled();
    await page.getByRole('button', { name: 'New folder', exact: true }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill('/empty');
    await page.getByRole('button', { name: 'Create' }).click();
    await openSettings(page, 'Data');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save a backup' }).click();
    const backup = await (await saved).path();
    expect(readFileSync(backup).includes('sk-'), 'no key in a backup').toBe(false);

    const other = await browser.newContext({ baseURL: bench.url, locale: 'en-US' });
    const otherPage = await other.newPage();
    await otherPage.goto('/');
    await openSettings(otherPage, 'Data');
    await otherPage.getByLabel('Restore a backup').setInputFiles(backup);
    await otherPage.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(otherPage.getByText('Restored 1 thread')).toBeVisible();
    await otherPage.keyboard.press('Escape');
    await otherPage.getByRole('navigation', { name: 'Threads' }).getByRole('link', { name: question }).click();
    await expect(otherPage.getByRole('article', { name: 'Assistant' })).toContainText('It is kept.');
    await otherPage.getByRole('treeitem', { name: 'docs' }).click();
    await expect(otherPage.getByRole('treeitem', { name: '你好.md' })).toBeVisible();
    await expect(otherPage.getByRole('treeitem', { name: 'empty' })).toBeVisible();
    // The history of the files stays in the browser where it was made.
    await otherPage.getByRole('article', { name: 'Assistant' }).hover();
    await otherPage.getByRole('button', { name: 'Restore files to here' }).last().click();
    await expect(otherPage.getByText('The files weren’t changed.')).toBeVisible();
    await other.close();
  });

  test('a thread is exported as JSON lines in the OpenAI format, and imported', async ({ studio, bench, page }) => {
    const question = prompt('Compute');
    bench.model.script(question, [{ calls: evalCall('6*7') }, { text: 'It is 42.' }]);
    await studio.open();
    await studio.say(question);
    await studio.allow.click();
    await studio.settled();
    await openSettings(page, 'Data');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export this thread' }).click();
    const file = await (await saved).path();
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    expect(lines[2].tool_calls[0].function).toEqual({ name: 'browser_js_eval', arguments: '{"code":"6*7"}' });
    await page.getByLabel('Import a thread').setInputFiles(file);
    await expect(page.getByText('The thread was imported.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(studio.threads.getByRole('link')).toHaveCount(2);
    await expect(studio.answers).toContainText('It is 42.');
  });

  test('files that are not a backup or a thread are rejected with the reason', async ({ studio, page }) => {
    await studio.open();
    await openSettings(page, 'Data');
    await page
      .getByLabel('Restore a backup')
      .setInputFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('no zip') });
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('the zip file is damaged');
    await page.getByLabel('Import a thread').setInputFiles({
      name: 'x.jsonl',
      mimeType: 'text/plain',
      buffer: Buffer.from('{"role":"user","content":"a"}\n{"role"'),
    });
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Line 2');
  });
});

test.describe('inspector', () => {
  for (const mode of ['native', 'prompted'] as const) {
    test(`shows the prompt as the model received it, verified by its hash (${mode})`, async ({
      studio,
      bench,
      page,
    }) => {
      const question = prompt('Compute');
      bench.model.script(question, [
        {
          calls: evalCall('6*7'),
          prompted:
            '{"tool_calls":[{"id":"1","type":"function","function":{"name":"browser_js_eval","arguments":"{\\"code\\":\\"6*7\\"}"}}]}',
        },
        { text: 'It is 42.', prompted: 'It is 42.' },
      ]);
      await studio.open({ toolCalling: mode });
      await studio.say(question);
      await studio.allow.click();
      await studio.settled();
      await studio.answers.hover();
      await page.getByRole('button', { name: 'View prompt' }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText('Its hash matches the one stored')).toBeVisible();
      await dialog.getByRole('combobox', { name: 'Step 1' }).click();
      await page.getByRole('option', { name: 'Step 2' }).click();
      await expect(dialog.getByText('Its hash matches the one stored')).toBeVisible();
      const list = dialog.getByRole('list', { name: 'Prompt' });
      await expect(list).toContainText(question);
      await expect(list).toContainText(mode === 'native' ? '← browser_js_eval: 42' : '[tool_result');
    });
  }
});

test.describe('keys', () => {
  test('hiding the workspace gives its focus to the message box, and showing it gives it back', async ({
    studio,
    page,
  }) => {
    await studio.open({ files: { '/a.txt': 'one' } });
    await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
    await expect(studio.editor.locator('.view-lines')).toContainText('one', { timeout: 20_000 });
    await studio.editor.locator('.view-lines').click();
    await page.keyboard.press('ControlOrMeta+J');
    await expect(studio.message).toBeFocused();
    await page.keyboard.type('typed here');
    await expect(studio.message).toHaveValue('typed here');
    await page.keyboard.press('ControlOrMeta+J');
    await expect(studio.editor.locator('.monaco-editor')).toHaveClass(/focused/);
    // From elsewhere, nothing moves.
    await studio.message.focus();
    await page.keyboard.press('ControlOrMeta+J');
    await page.keyboard.press('ControlOrMeta+J');
    await expect(studio.message).toBeFocused();
  });

  test('what is typed right after Ctrl-K is in the palette, even while the page is loading', async ({
    studio,
    page,
  }) => {
    await studio.open({ files: { '/a.txt': 'one' } });
    for (let attempt = 0; attempt < 3; attempt++) {
      await page.reload({ waitUntil: 'commit' });
      await studio.message.waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('a.txt');
      await expect(page.getByRole('combobox', { name: 'Command palette' })).toHaveValue('a.txt');
      await expect(page.locator('#composer')).toHaveValue('');
    }
    // So is Enter: the best match opens.
    await page.reload({ waitUntil: 'commit' });
    await studio.message.waitFor();
    await page.keyboard.press('Control+p');
    await page.keyboard.type('a.txt');
    await page.keyboard.press('Enter');
    await expect(studio.editor.locator('.view-lines')).toContainText('one', { timeout: 20_000 });
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  test('Ctrl-K opens the palette even if the studio is still opening', async ({ studio, page, context }) => {
    await studio.open({ files: { '/a.txt': 'one' } });
    const other = await context.newPage();
    await other.goto('/icon.svg');
    // Nothing can be read from the studio's database until this transaction ends.
    await other.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const open = indexedDB.open('roundtrip-studio');
          open.onerror = () => reject(open.error);
          open.onsuccess = () => {
            const names = [...open.result.objectStoreNames];
            const store = open.result.transaction(names, 'readwrite').objectStore(names[0] ?? '');
            const keepAlive = (): void => {
              if (!Object.hasOwn(window, 'released')) store.count().onsuccess = keepAlive;
            };
            keepAlive();
            resolve();
          };
        }),
    );
    await page.reload({ waitUntil: 'load' });
    await expect(page.getByRole('status')).toHaveText('Opening the studio…');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('a.txt');
    await expect(page.getByRole('status')).toHaveText('Opening the studio…');
    await other.evaluate(() => Object.assign(window, { released: true }));
    await expect(page.getByRole('combobox', { name: 'Command palette' })).toHaveValue('a.txt');
  });

  test('the palette, the help and the panes respond to their shortcuts', async ({ studio, page }) => {
    await studio.open({ files: { '/src/needle.ts': 'const hay = "needle in it";' } });
    const query = page.getByRole('dialog').getByRole('combobox');
    await page.keyboard.press('Control+k');
    await query.fill('keyboard');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+p');
    await expect(query).toBeFocused();
    // Requested again while it is open, it still gets what is typed.
    await page.keyboard.press('Control+p');
    await page.keyboard.type('needle');
    await expect(query).toHaveValue('needle');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Close needle.ts' })).toBeVisible();
    await page.getByRole('heading', { name: 'New thread' }).click();
    await page.keyboard.press('Control+Shift+F');
    const search = page.getByRole('textbox', { name: 'Search in files' });
    await expect(search).toBeFocused();
    await search.fill('needle in');
    await expect(page.getByRole('region', { name: 'Files' }).getByText('/src/needle.ts')).toBeVisible();
    await page.getByRole('heading', { name: 'New thread' }).click();
    await expect(studio.threads).toBeVisible();
    await page.keyboard.press('Control+b');
    await expect(studio.threads).toBeHidden();
    await page.keyboard.press('Control+b');
    await expect(studio.threads).toBeVisible();
    await page.keyboard.press('Control+j');
    await expect(studio.editor).toBeHidden();
  });
});

test.describe('looks', () => {
  test('the language setting switches everything to Chinese, and a reload keeps it', async ({ studio, page }) => {
    await studio.open();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: '简体中文' }).click();
    await expect(page.getByRole('dialog', { name: '设置' })).toBeVisible();
    await page.keyboard.press('Escape');
    for (const [role, name] of [
      ['textbox', '消息'],
      ['button', '发送'],
      ['navigation', '会话'],
      ['combobox', '模型'],
      ['button', '工具：浏览器、文件'],
      ['region', '编辑器'],
    ] as const) {
      await expect(page.getByRole(role, { name, exact: true })).toBeVisible();
    }
    await page.reload();
    await expect(page.getByRole('textbox', { name: '消息', exact: true })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  });

  test('a selected theme applies from the first paint', async ({ studio, page }) => {
    await studio.open();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('combobox', { name: 'Theme' }).click();
    await page.getByRole('option', { name: 'Dark' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    // Without the studio's own scripts, only the first paint remains.
    await page.route('**/_next/static/**/*.js', (route) => route.abort());
    studio.expectedProblems.push('ERR_FAILED');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });

  test('the first tab stop leads to the message box', async ({ studio, page }) => {
    await studio.open();
    await page.reload();
    await expect(studio.message).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Skip to the message box' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(studio.message).toBeFocused();
  });

  test('what is typed while nothing has the focus goes into the message box', async ({ studio, page }) => {
    await studio.open();
    await page.reload();
    await expect(studio.message).toBeVisible();
    await page.keyboard.type('hello');
    await expect(studio.message).toHaveValue('hello');
    await expect(studio.message).toBeFocused();
  });

  test('a narrow screen shows one pane at a time, and keeps a draft', async ({ studio, page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await studio.open({ files: { '/a.txt': 'alpha' } });
    await studio.message.fill('half a thought');
    await page.getByRole('tab', { name: 'Files' }).click();
    await expect(studio.message).toBeHidden();
    await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
    await expect(studio.editor.locator('.view-lines')).toContainText('alpha', { timeout: 20_000 });
    await page.getByRole('tab', { name: 'Chat' }).click();
    await expect(studio.message).toHaveValue('half a thought');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, 'nothing sticks out to the side').toBeLessThanOrEqual(0);
  });
});

/** What the model leaves in /a.txt in `makeConflict`, apart from letters that were saved before. */
const THEIRS = 'before\nby the model 5\n';
const withoutTyped = (text: string | undefined): string | undefined => text?.replaceAll('x', '');

/**
 * Leaves /a.txt open with unsaved letters that a write of the model conflicts with. A write just after a save meets no
 * unsaved edit and is shown at once, so the model writes five times.
 */
async function makeConflict(studio: StudioPage, bench: TestBench): Promise<void> {
  const question = prompt('Overwrite');
  const conflict = studio.page.getByText('changed while you had unsaved edits');
  const write = (n: number) => {
    const find = n === 1 ? '\n' : `by the model ${n - 1}`;
    const replace = n === 1 ? '\nby the model 1\n' : `by the model ${n}`;
    return { calls: [{ name: 'edit_file', arguments: JSON.stringify({ path: '/a.txt', find, replace }) }] };
  };
  bench.model.script(question, [
    { ...write(1), hold: { after: 0, gate: question } },
    ...[2, 3, 4, 5].map(write),
    { text: 'Done.' },
  ]);
  await studio.open({ files: { '/a.txt': 'before\n' } });
  await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('before', { timeout: 20_000 });
  await studio.say(question);
  await studio.editor.locator('.view-line').first().click();
  bench.model.open(question);
  for (let n = 0; n < 1_000 && !(await conflict.isVisible()); n++) await studio.page.keyboard.insertText('xx');
  await expect(conflict).toBeVisible();
  await studio.settled();
}

import { describe, expect, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { focus, frames, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test } from '#components/test/studio-test.ts';
import { prompt, writeCall } from '#e2e/lib/prompt.ts';
import { FIRST_WORKSPACE } from '#lib/threads/thread.ts';
import { WorkspaceHistory } from '#lib/vfs/history.ts';
import { openWorkspace } from '#lib/workspace/workspace.ts';
import { databaseName } from '#studio/workspaces.ts';
import { BEFORE, changeCall, changed, PATH } from './test/values.ts';

loadEditor();

const review = page.getByRole('region', { name: `Review: ${PATH}` });

/** Asks for a change, with reviews turned on, and opens its review. */
async function ask(studio: StudioPage): Promise<string> {
  const question = prompt('Change the values');
  await model.script(question, [{ calls: changeCall }, { text: 'All right.' }]);
  await studio.open({ files: { [PATH]: BEFORE } });
  await studio.toggleTool('Review changes before they’re written');
  await studio.say(question);
  const card = studio.call('multi_edit');
  await expect.element(card.getByText('const changed10 = 1000;')).toBeVisible();
  await expect.element(card.getByText('3 unchanged lines')).toBeVisible();
  await card.getByRole('button', { name: 'Review changes…' }).click();
  await expect.element(review).toBeVisible();
  await expect.element(review.getByRole('list', { name: 'Changes' }).getByRole('listitem')).toHaveLength(3);
  return question;
}

/** Types at the top of a file in the editor. */
async function typeAtTop(name: string, text: string): Promise<void> {
  await page.getByRole('treeitem', { name }).click();
  const editor = page.getByRole('textbox', { name: new RegExp(name) });
  await focus(editor);
  await keyboard.press('ControlOrMeta+Home');
  await keyboard.insertText(text);
}

const fileText = async (studio: StudioPage) => (await studio.workspace()).get(PATH);

async function resultOf(question: string): Promise<unknown> {
  const request = (await model.requestsFor(question)).at(-1);
  return request?.messages.findLast(({ role }) => role === 'tool')?.content;
}

test('changes are rejected, edited, and kept before they are written, and the model is told', async ({ studio }) => {
  const question = await ask(studio);
  // The keys of the review work at once.
  await expect.element(review.locate('.monaco-editor.focused').first()).toBeVisible();
  await keyboard.press('Alt+F5');
  await expect.element(page.getByRole('button', { name: /^Change 2 of 3/ })).toHaveAttribute('aria-current', 'true');
  await page.getByRole('button', { name: 'Reject change 2' }).click();
  await expect.element(page.getByRole('button', { name: 'Keep change 2' })).toBeVisible();
  await page.getByRole('button', { name: /^Change 1 of 3/ }).click();
  const text = review.getByRole('textbox', { name: `Proposed text of ${PATH}, which you can edit` });
  await focus(text);
  await keyboard.press('End');
  await keyboard.type(' // mine');
  await expect.element(page.getByRole('button', { name: /^Change 1 of 3/ })).toContainText('edited');
  expect(await fileText(studio), 'nothing is written before the answer').toBe(BEFORE);
  await review.getByRole('textbox', { name: 'Note for the model (optional)' }).fill('Keep value10.');
  await review.getByRole('button', { name: 'Write these changes' }).click();
  await studio.settled();
  expect(await fileText(studio)).toBe(changed(2, 20).replace('changed2 = 200;', 'changed2 = 200; // mine'));
  const result = await resultOf(question);
  expect(result).toContain('Change 1, at line 2, was edited. There is now: "const changed2 = 200; // mine\\n"');
  expect(result).toContain('Change 2, at line 10, was rejected');
  expect(result).toContain('Keep value10.');
  // The written text is one change of the call, which can be undone.
  const turn = page.getByRole('group', { name: 'Changes in this answer' });
  await expect.element(turn).toContainText('1 file changed');
  await expect.element(turn).toContainText('+2 −2');
  await turn.getByRole('button', { name: 'Undo' }).click();
  await expect.element(turn).toContainText('Undone');
  expect(await fileText(studio)).toBe(BEFORE);
  await turn.getByRole('button', { name: 'Redo' }).click();
  await expect.element(turn).not.toContainText('Undone');
  expect(await fileText(studio)).not.toBe(BEFORE);
  await turn.getByRole('button', { name: 'Undo' }).click();
  await expect.element(turn).toContainText('Undone');
  expect(await fileText(studio)).toBe(BEFORE);
});

test('a review survives a reload', async ({ studio }) => {
  await ask(studio);
  await page.getByRole('button', { name: 'Reject change 3' }).click();
  await studio.reopen();
  await studio.call('multi_edit').getByRole('button', { name: 'Continue review…' }).click();
  await expect.element(page.getByRole('button', { name: 'Keep change 3' })).toBeVisible();
  await review.getByRole('button', { name: 'Write these changes' }).click();
  await studio.settled();
  expect(await fileText(studio)).toBe(changed(2, 10));
});

test('the file changes during its review: decisions are kept, and the change is, too', async ({ studio }) => {
  await ask(studio);
  await page.getByRole('button', { name: 'Reject change 2' }).click();
  await typeAtTop('values.ts', '// first\n');
  await page
    .getByRole('navigation', { name: 'Open files' })
    .getByRole('button', { name: /review/ })
    .first()
    .click();
  await expect
    .element(review.getByText('The file changed during your review. Your decisions were kept.'))
    .toBeVisible();
  await review.getByRole('button', { name: 'Write these changes' }).click();
  await studio.settled();
  expect(await fileText(studio)).toBe(`// first\n${changed(2, 20)}`);
});

test('unchanged lines stay folded when another tab changes the file', async ({ studio }) => {
  await ask(studio);
  const folded = review
    .locate('.modified')
    .getByText(/hidden lines/)
    .first();
  await expect.element(folded).toBeVisible();
  const { monaco } = await import('#components/editor/monaco.ts');
  const compared = vi.fn();
  for (const editor of monaco.editor.getDiffEditors()) editor.onDidUpdateDiff(compared);
  const tab = await openWorkspace(databaseName(FIRST_WORKSPACE));
  onTestFinished(() => tab.close());
  await tab.fileSystem.transaction({ type: 'person' }, async (tx) =>
    tx.writeFile(PATH, new TextEncoder().encode(`// first\n${BEFORE}`)),
  );
  await expect.element(review.getByText('The file changed during your review.')).toBeVisible();
  await expect.element(review.getByText('// first').first()).toBeVisible();
  // Lines would open once both sides have been compared again.
  await expect.poll(() => compared.mock.calls.length).toBeGreaterThan(0);
  await frames(2);
  expect(folded.query()).not.toBeNull();
});

test('rejecting everything denies the call', async ({ studio }) => {
  const question = await ask(studio);
  await review.getByRole('button', { name: 'Reject all' }).click();
  await review.getByRole('button', { name: 'Reject these changes' }).click();
  await studio.settled();
  expect(await fileText(studio)).toBe(BEFORE);
  expect(await resultOf(question)).toContain('The user rejected all changes.');
  await expect.element(studio.call('multi_edit')).toHaveAttribute('data-state', 'denied');
});

describe('of several calls', () => {
  const reviewOf = (path: string) => page.getByRole('region', { name: `Review: ${path}` });
  const write = (path: string) => writeCall(path, `${path}\n`)[0] ?? { name: '', arguments: '' };
  const openFiles = page.getByRole('navigation', { name: 'Open files' });

  test('each is shown after the one before, also those of the next step', async ({ studio }) => {
    const question = prompt('Write three files');
    const [first, second, third] = ['/a.txt', '/b.txt', '/c.txt'];
    await model.script(question, [
      { calls: [write(first), write(second)] },
      { calls: [write(third)] },
      { text: 'All done.' },
    ]);
    await studio.open();
    await studio.toggleTool('Review changes before they’re written');
    await studio.say(question);
    await studio.call('write_file').getByRole('button', { name: 'Review changes…' }).click();
    const files = reviewOf(first).getByRole('navigation', { name: 'Files under review' });
    await expect.element(files).toContainText(second);
    await expect.element(openFiles).not.toContainText('being written');
    await reviewOf(first).getByRole('button', { name: 'Write these changes' }).click();
    // The keys of the next one work at once.
    await expect.element(reviewOf(second).locate('.monaco-editor.focused').first()).toBeVisible();
    await keyboard.press('ControlOrMeta+Enter');
    await expect.element(reviewOf(third).locate('.monaco-editor.focused').first()).toBeVisible();
    await reviewOf(third).getByRole('textbox', { name: 'Note for the model (optional)' }).fill('Fine.');
    await keyboard.press('ControlOrMeta+Enter');
    await studio.settled();
    expect([...(await studio.workspace()).keys()]).toEqual(expect.arrayContaining([first, second, third]));
    await expect.element(openFiles).not.toBeInTheDocument();
  });

  test('the rest is accepted at once, but for what the user’s rules ask about', async ({ studio }) => {
    const question = prompt('Write and delete');
    const paths = ['/a.txt', '/b.txt', '/.env'];
    const remove = { name: 'delete_path', arguments: JSON.stringify({ path: '/old.txt' }) };
    const calls = [write('/a.txt'), write('/b.txt'), remove, write('/.env')];
    await model.script(question, [{ calls }, { text: 'All done.' }]);
    await studio.open({
      files: { '/old.txt': 'old\n' },
      settings: {
        defaultModel: 'scripted',
        pathRules: [{ pattern: '.env', effects: ['read', 'write'], policy: 'ask' }],
      },
    });
    await studio.toggleTool('Review changes before they’re written');
    await studio.say(question);
    await studio.call('write_file').getByRole('button', { name: 'Review changes…' }).click();
    const files = reviewOf('/a.txt').getByRole('navigation', { name: 'Files under review' });
    await expect.element(files).toHaveText(/b\.txt\s*new\s*\+1 −0.*old\.txt\s*deleted.*\.env/);
    await reviewOf('/a.txt').getByRole('button', { name: 'Reject all' }).click();
    await reviewOf('/a.txt').getByRole('button', { name: 'Accept the rest' }).click();
    // Nobody deletes something unseen.
    await expect.element(reviewOf('/old.txt').getByRole('button', { name: 'Reject', exact: true })).toBeVisible();
    await reviewOf('/old.txt').getByRole('button', { name: 'Reject', exact: true }).click();
    await reviewOf('/old.txt').getByRole('button', { name: 'Reject these changes' }).click();
    // A call that asks about more than its changes says so in the conversation.
    const ruled = studio.call('write_file', 2);
    await expect.element(ruled).toContainText('/.env');
    await ruled.getByRole('button', { name: 'Deny', exact: true }).click();
    await studio.settled();
    const stored = await studio.workspace();
    expect([...paths, '/old.txt'].map((path) => stored.has(path))).toEqual([false, true, false, true]);
  });

  test('a key that is held writes only the first', async ({ studio }) => {
    const question = prompt('Write two files');
    await model.script(question, [{ calls: [write('/a.txt'), write('/b.txt')] }, { text: 'Done.' }]);
    await studio.open();
    await studio.toggleTool('Review changes before they’re written');
    await studio.say(question);
    await studio.call('write_file').getByRole('button', { name: 'Review changes…' }).click();
    await focus(reviewOf('/a.txt').getByRole('textbox', { name: /^Proposed text/ }));
    await keyboard.down('Control');
    await keyboard.down('Enter');
    await expect.element(reviewOf('/b.txt').locate('.monaco-editor.focused').first()).toBeVisible();
    await keyboard.down('Enter');
    await keyboard.down('Enter');
    await keyboard.up('Enter');
    await keyboard.up('Control');
    await expect.element(reviewOf('/b.txt')).toBeVisible();
    expect((await studio.workspace()).has('/b.txt')).toBe(false);
    await keyboard.press('ControlOrMeta+Enter');
    await studio.settled();
    expect((await studio.workspace()).has('/b.txt')).toBe(true);
    await expect.element(studio.message).toHaveFocus();
  });

  test('one that is switched on in a new thread is not switched on in the next one', async ({ studio }) => {
    const question = prompt('Hello');
    await model.script(question, [{ text: 'Hi.' }]);
    await studio.open();
    await studio.toggleTool('Review changes before they’re written');
    await studio.say(question);
    await studio.settled();
    await page.getByRole('button', { name: 'New thread' }).first().click();
    await studio.openTools();
    await expect
      .element(studio.toolsPanel.getByRole('switch', { name: 'Review changes before they’re written' }))
      .not.toBeChecked();
  });
});

test('without a review, changes are shown afterwards, and can be undone', async ({ studio }) => {
  const question = prompt('Write and change');
  await model.script(question, [{ calls: [...writeCall('/new.txt', 'new\n'), ...changeCall] }, { text: 'Done.' }]);
  await studio.open({ files: { [PATH]: BEFORE } });
  await studio.say(question);
  await studio.settled();
  await expect.element(studio.call('multi_edit')).toContainText('+3 −3');
  const turn = page.getByRole('group', { name: 'Changes in this answer' });
  await expect.element(turn).toContainText('2 files changed');
  await expect.element(turn).toContainText('+4 −3');
  vi.spyOn(WorkspaceHistory.prototype, 'read').mockRejectedValueOnce(new Error('The content is gone.'));
  await turn.getByRole('button', { name: 'Review' }).click();
  await expect.element(turn.getByText('const changed10 = 1000;')).toBeVisible();
  await expect.element(turn).toContainText('The changes to /new.txt couldn’t be read.');
  await typeAtTop('new.txt', 'mine\n');
  await turn.getByRole('button', { name: 'Undo' }).click();
  await expect.element(turn.getByRole('alert')).toContainText('/new.txt');
  expect(await fileText(studio), 'nothing was undone').toBe(changed(2, 10, 20));
});

test('a question about more files than are shown counts all of them, and names the others', async ({ studio }) => {
  const question = prompt('Delete many');
  const calls = [{ name: 'delete_path', arguments: JSON.stringify({ path: '/many', recursive: true }) }];
  await model.script(question, [{ calls }, { text: 'Done.' }]);
  const files = Object.fromEntries(Array.from({ length: 230 }, (_, n) => [`/many/file-${n}.txt`, `${n}\n`]));
  await studio.open({ files });
  await studio.toggleTool('Review changes before they’re written');
  await studio.say(question);
  const card = studio.call('delete_path');
  await expect.element(card).toContainText('210 of 230 files aren’t shown here. They will also change.');
  await card.getByRole('button', { name: 'Show names' }).click();
  const names = card.getByRole('region', { name: 'Files that are not shown' });
  await expect.element(names).toContainText('/many/file-99.txt (deleted)');
  expect((await names.element()).textContent?.split('\n')).toHaveLength(210);
  await card.getByRole('button', { name: 'Review changes…' }).click();
  const opened = page.getByRole('region', { name: /^Review: \/many\/file-/ });
  await expect
    .element(opened)
    .toContainText('30 of 230 files aren’t shown here. They change only if you keep all changes.');
  await opened.getByRole('button', { name: 'Reject', exact: true }).click();
  await opened.getByRole('button', { name: 'Write these changes' }).click();
  await studio.settled();
  expect([...(await studio.workspace()).keys()].filter((path) => path.startsWith('/many/'))).toHaveLength(31);
  expect(await resultOf(question)).toContain('more files: as before, because not all changes were kept.');
});

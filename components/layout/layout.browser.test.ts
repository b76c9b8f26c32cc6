import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { focus, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt, writeCall } from '#e2e/lib/prompt.ts';

const workspace = page.getByRole('region', { name: 'Editor' });
const files = page.getByRole('region', { name: 'Files' });

const widthOf = async (name: string): Promise<number> =>
  (await page.getByRole('region', { name, exact: true }).findElement()).getBoundingClientRect().width;

/** The name of the pane that has the focus. */
const focusedPane = (): string | undefined => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset.pane;

test('a plain chat begins without the workspace, which comes with the first file and stays closed if closed', async ({
  studio,
}) => {
  const question = prompt('Write it');
  await model.script(question, [{ calls: writeCall('/a.txt', 'alpha') }, { text: 'Done.' }]);
  await studio.open({ isWorkspaceShown: false });
  await expect.element(workspace).not.toBeInTheDocument();
  await studio.say(question);
  await studio.settled();
  await expect.element(studio.files.getByRole('treeitem', { name: 'a.txt' })).toBeVisible();
  // After a reload it is there at once; in a new thread it is not.
  await studio.reopen();
  await expect.element(studio.files.getByRole('treeitem', { name: 'a.txt' })).toBeVisible();
  await keyboard.press('Control+j');
  await expect.element(workspace).not.toBeInTheDocument();
  await studio.reopen();
  await expect.element(studio.answers.last()).toContainText('Done.');
  await expect.element(workspace).not.toBeInTheDocument();
  await studio.call('write_file').getByRole('button', { name: 'Options for write_file' }).click();
  await page.getByRole('menuitem', { name: 'Open file' }).click();
  await expect.element(studio.editor.locate('.view-lines')).toContainText('alpha');
  await page.getByRole('button', { name: 'New thread' }).first().click();
  await expect.element(workspace).not.toBeInTheDocument();
});

test('hiding a pane that has the focus moves it to the message box, and back when the pane returns', async ({
  studio,
}) => {
  await studio.open({ files: { '/a.txt': 'alpha' } });
  const item = studio.files.getByRole('treeitem', { name: 'a.txt' });
  await focus(item);
  await keyboard.press('Control+j');
  await expect.element(studio.message).toHaveFocus();
  await keyboard.press('Control+j');
  await expect.element(item).toHaveFocus();
  // The list of threads, too; what shows it again hands the focus on.
  await focus(page.getByRole('searchbox', { name: 'Search threads' }));
  await keyboard.press('Control+b');
  await expect.element(studio.message).toHaveFocus();
  const show = page.getByRole('button', { name: 'Show threads' });
  await focus(show);
  await keyboard.press('Enter');
  await expect.element(show).not.toBeInTheDocument();
  await expect.poll(focusedPane).toBe('threads');
});

test('the focus moves between panes by key', async ({ studio }) => {
  await studio.open({ files: { '/a.txt': 'alpha' } });
  await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
  await expect.element(studio.editor.locate('.view-lines')).toContainText('alpha');
  for (const [key, pane] of [
    ['Control+1', 'threads'],
    ['Control+2', 'chat'],
    ['Control+3', 'files'],
    ['Control+4', 'side'],
  ] as const) {
    await keyboard.press(key);
    await expect.poll(focusedPane, { message: key }).toBe(pane);
  }
  for (const pane of ['threads', 'chat', 'files', 'side']) {
    await keyboard.press('F6');
    await expect.poll(focusedPane).toBe(pane);
  }
  await keyboard.press('Shift+F6');
  await expect.poll(focusedPane).toBe('files');
  // A hidden pane is shown by its own key, and left out by F6.
  await keyboard.press('Control+j');
  await keyboard.press('F6');
  await expect.poll(focusedPane).toBe('threads');
  await keyboard.press('Control+3');
  await expect.poll(focusedPane).toBe('files');
});

test('lists hide themselves in a narrower window, and sizes belong to the width', async ({ studio }) => {
  await studio.open({ files: { '/a.txt': 'alpha' } });
  await expect.element(studio.threads).toBeVisible();
  await expect.element(files).toBeVisible();
  const before = await widthOf('Files');
  await focus(page.getByRole('separator', { name: 'Resize the file tree' }));
  await keyboard.press('ArrowRight');
  await expect.poll(() => widthOf('Files')).toBeGreaterThan(before + 10);
  const wider = await widthOf('Files');

  await page.viewport(1024, 768);
  await expect.element(studio.threads).not.toBeInTheDocument();
  await expect.element(files).not.toBeInTheDocument();
  await expect.element(workspace).toBeVisible();
  // Everything can be reached.
  await page.getByRole('button', { name: 'Show the file tree' }).click();
  await expect.element(studio.files.getByRole('treeitem', { name: 'a.txt' })).toBeVisible();
  await page.getByRole('button', { name: 'Show threads' }).click();
  await expect.element(studio.threads).toBeVisible();
  await page.getByRole('button', { name: 'Hide threads' }).click();

  await page.viewport(1440, 900);
  await expect.element(studio.threads).toBeVisible();
  await expect.poll(async () => Math.abs((await widthOf('Files')) - wider)).toBeLessThan(3);
  await studio.reopen();
  await expect.element(files).toBeVisible();
  await expect.poll(async () => Math.abs((await widthOf('Files')) - wider)).toBeLessThan(3);
});

test('conversation and workspace are about equally wide', async ({ studio }) => {
  for (const width of [1024, 1280, 1440, 1920]) {
    await page.viewport(width, 900);
    if (width === 1024) await studio.open({ files: { '/a.txt': 'alpha' } });
    const chat = (await page.getByRole('main', { name: 'Chat' }).findElement()).getBoundingClientRect().width;
    const side = await widthOf('Editor');
    const tree = files.query() === null ? 0 : await widthOf('Files');
    expect((side + tree) / chat, `workspace to chat at ${width}`).toBeGreaterThan(0.8);
    expect((side + tree) / chat, `workspace to chat at ${width}`).toBeLessThan(1.25);
    expect(side, `the editor at ${width}`).toBeGreaterThan(400);
  }
});

test('nothing shifts while an answer streams', async ({ studio }) => {
  const question = prompt('Tell me everything');
  const paragraphs = Array.from({ length: 40 }, (_, n) => `Paragraph ${n}: ${'words and more words '.repeat(12)}`);
  await model.script(question, [
    { text: 'First a file.', calls: writeCall('/a.txt', 'alpha\n'.repeat(50)) },
    { text: `${paragraphs.join('\n\n')}\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n` },
  ]);
  await studio.open({ files: { '/b.txt': 'beta' } });
  await expect.element(studio.files.getByRole('treeitem', { name: 'b.txt' })).toBeVisible();
  const shifts: number[] = [];
  const note = (entries: PerformanceEntryList) => {
    for (const entry of entries as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) shifts.push(entry.value);
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'layout-shift' });
  await studio.say(question);
  await studio.settled();
  await expect.element(studio.answers.last()).toContainText('Paragraph 39');
  note(observer.takeRecords());
  observer.disconnect();
  expect(
    shifts.reduce((sum, shift) => sum + shift, 0),
    `shifts: ${shifts.map((shift) => shift.toFixed(4))}`,
  ).toBeLessThanOrEqual(0.02);
});

import type { Page } from '@playwright/test';
import { expect, test } from './lib/fixtures.ts';
import { prompt, writeCall } from './lib/prompt.ts';
import type { StudioPage } from './lib/studio-page.ts';

const workspaceOf = (page: Page) => page.getByRole('region', { name: 'Editor' });
const filesOf = (page: Page) => page.getByRole('region', { name: 'Files' });
const widthOf = async (page: Page, name: string) =>
  (await page.getByRole('region', { name, exact: true }).boundingBox())?.width ?? 0;

/** The name of the pane that has the focus. */
const focusedPane = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset.pane);

async function writeFile(studio: StudioPage, script: (question: string) => string): Promise<void> {
  const question = script(prompt('Write it'));
  await studio.say(question);
  await studio.settled();
}

test('a plain chat begins without the workspace, which comes with the first file and stays closed if closed', async ({
  studio,
  bench,
  page,
}) => {
  const script = (question: string) => {
    bench.model.script(question, [{ calls: writeCall('/a.txt', 'alpha') }, { text: 'Done.' }]);
    return question;
  };
  await studio.open({ isWorkspaceShown: false });
  await expect(workspaceOf(page)).toBeHidden();
  await writeFile(studio, script);
  await expect(studio.files.getByRole('treeitem', { name: 'a.txt' })).toBeVisible();
  // After a reload it is there at once; in a new thread it is not.
  await page.reload();
  await expect(studio.files.getByRole('treeitem', { name: 'a.txt' })).toBeVisible();
  await page.keyboard.press('Control+j');
  await expect(workspaceOf(page)).toBeHidden();
  await page.reload();
  await expect(studio.message).toBeVisible();
  await expect(studio.answers.last()).toContainText('Done.');
  await expect(workspaceOf(page)).toBeHidden();
  await studio.call('write_file').getByRole('button', { name: 'Options for write_file' }).click();
  await page.getByRole('menuitem', { name: 'Open file' }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('alpha', { timeout: 20_000 });
  await page.getByRole('button', { name: 'New thread' }).first().click();
  await expect(workspaceOf(page)).toBeHidden();
});

test('hiding a pane that has the focus moves it to the message box, and back when the pane returns', async ({
  studio,
  page,
}) => {
  await studio.open({ files: { '/a.txt': 'alpha' } });
  const item = studio.files.getByRole('treeitem', { name: 'a.txt' });
  await item.focus();
  await page.keyboard.press('Control+j');
  await expect(studio.message).toBeFocused();
  await page.keyboard.press('Control+j');
  await expect(item).toBeFocused();
  // The list of threads, too; what shows it again hands the focus on.
  await page.getByRole('searchbox', { name: 'Search threads' }).focus();
  await page.keyboard.press('Control+b');
  await expect(studio.message).toBeFocused();
  const show = page.getByRole('button', { name: 'Show threads' });
  await show.focus();
  await page.keyboard.press('Enter');
  await expect(show).toBeHidden();
  await expect.poll(() => focusedPane(page)).toBe('threads');
});

test('the focus moves between panes by key', async ({ studio, page }) => {
  await studio.open({ files: { '/a.txt': 'alpha' } });
  await studio.files.getByRole('treeitem', { name: 'a.txt' }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('alpha', { timeout: 20_000 });
  for (const [key, pane] of [
    ['Control+1', 'threads'],
    ['Control+2', 'chat'],
    ['Control+3', 'files'],
    ['Control+4', 'side'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => focusedPane(page), key).toBe(pane);
  }
  for (const pane of ['threads', 'chat', 'files', 'side']) {
    await page.keyboard.press('F6');
    await expect.poll(() => focusedPane(page)).toBe(pane);
  }
  await page.keyboard.press('Shift+F6');
  await expect.poll(() => focusedPane(page)).toBe('files');
  // A hidden pane is shown by its own key, and left out by F6.
  await page.keyboard.press('Control+j');
  await page.keyboard.press('F6');
  await expect.poll(() => focusedPane(page)).toBe('threads');
  await page.keyboard.press('Control+3');
  await expect.poll(() => focusedPane(page)).toBe('files');
});

test('lists hide themselves in a narrower window, and sizes belong to the width', async ({ studio, page }) => {
  await studio.open({ files: { '/a.txt': 'alpha' } });
  await expect(studio.threads).toBeVisible();
  await expect(filesOf(page)).toBeVisible();
  const before = await widthOf(page, 'Files');
  await page.getByRole('separator', { name: 'Resize the file tree' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => widthOf(page, 'Files')).toBeGreaterThan(before + 10);
  const wider = await widthOf(page, 'Files');

  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(studio.threads).toBeHidden();
  await expect(filesOf(page)).toBeHidden();
  await expect(workspaceOf(page)).toBeVisible();
  // Everything can be reached.
  await page.getByRole('button', { name: 'Show the file tree' }).click();
  await expect(studio.files.getByRole('treeitem', { name: 'a.txt' })).toBeVisible();
  await page.getByRole('button', { name: 'Show threads' }).click();
  await expect(studio.threads).toBeVisible();
  await page.getByRole('button', { name: 'Hide threads' }).click();

  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(studio.threads).toBeVisible();
  await expect.poll(async () => Math.abs((await widthOf(page, 'Files')) - wider)).toBeLessThan(3);
  await page.reload();
  await expect(filesOf(page)).toBeVisible();
  await expect.poll(async () => Math.abs((await widthOf(page, 'Files')) - wider)).toBeLessThan(3);
});

test('conversation and workspace are about equally wide', async ({ studio, page }) => {
  for (const width of [1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    if (width === 1024) await studio.open({ files: { '/a.txt': 'alpha' } });
    const chat = (await page.getByRole('main', { name: 'Chat' }).boundingBox())?.width ?? 0;
    const side = await widthOf(page, 'Editor');
    const tree = (await filesOf(page).isVisible()) ? await widthOf(page, 'Files') : 0;
    expect((side + tree) / chat, `workspace to chat at ${width}`).toBeGreaterThan(0.8);
    expect((side + tree) / chat, `workspace to chat at ${width}`).toBeLessThan(1.25);
    expect(side, `the editor at ${width}`).toBeGreaterThan(400);
  }
});

test('nothing shifts while an answer streams', async ({ studio, bench, page }) => {
  const question = prompt('Tell me everything');
  const paragraphs = Array.from({ length: 40 }, (_, n) => `Paragraph ${n}: ${'words and more words '.repeat(12)}`);
  bench.model.script(question, [
    { text: 'First a file.', calls: writeCall('/a.txt', 'alpha\n'.repeat(50)) },
    { text: `${paragraphs.join('\n\n')}\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n` },
  ]);
  await studio.open({ files: { '/b.txt': 'beta' } });
  await expect(studio.files.getByRole('treeitem', { name: 'b.txt' })).toBeVisible();
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shifts.push(entry.value);
    }).observe({ type: 'layout-shift' });
  });
  await studio.say(question);
  await studio.settled();
  await expect(studio.answers.last()).toContainText('Paragraph 39');
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(
    shifts.reduce((sum, shift) => sum + shift, 0),
    `shifts: ${shifts.map((shift) => shift.toFixed(4))}`,
  ).toBeLessThanOrEqual(0.02);
});

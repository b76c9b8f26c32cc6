import { describe, expect, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { loadEditor } from '#components/editor/test/load-editor.ts';
import { copiedBy, focus, frames, keyboard, mouse, press, resizeWindow } from '#components/test/browser.ts';
import { test } from '#components/test/studio-test.ts';

loadEditor();

describe('the tree', () => {
  test('a renamed entry has the focus, however long the renaming takes', async ({ studio }) => {
    await studio.open({ files: { '/a.txt': 'a', '/b.txt': 'b' } });
    await expect.element(studio.entry('b.txt')).toBeVisible();
    const { workspaces, threads } = await studio.studio();
    const { fileSystem } = await workspaces.open(threads.workspaceId);
    const { transaction } = fileSystem;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    vi.spyOn(fileSystem, 'transaction').mockImplementation(async (...work) => {
      await released;
      return transaction.apply(fileSystem, work);
    });
    await focus(studio.entry('b.txt'));
    await keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New name for b.txt' }).fill('new.txt');
    await keyboard.press('Enter');
    await expect.element(page.getByRole('textbox', { name: 'New name for b.txt' })).not.toBeInTheDocument();
    // The library gives up after half a second.
    await frames(40);
    release();
    await expect.element(studio.entry('new.txt')).toHaveFocus();
  });

  test('a renamed entry gets the focus only once, so that it does not take it from where the user goes', async ({
    studio,
  }) => {
    await studio.open({ files: { '/a.txt': 'a', '/b.txt': 'b' } });
    await focus(studio.entry('b.txt'));
    await keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New name for b.txt' }).fill('new.txt');
    const focused: string[] = [];
    const message = studio.message.element() as HTMLElement;
    const goOn = ({ target }: FocusEvent) => {
      const name = (target as HTMLElement).getAttribute('aria-label') ?? '';
      focused.push(name);
      if (name === 'new.txt') message.focus();
    };
    document.addEventListener('focusin', goOn);
    onTestFinished(() => document.removeEventListener('focusin', goOn));
    await keyboard.press('Enter');
    await expect.element(studio.message).toHaveFocus();
    await frames(40);
    expect(focused.filter((name) => name === 'new.txt')).toHaveLength(1);
    await expect.element(studio.message).toHaveFocus();
  });

  test('renames in place, and moves by dragging', async ({ studio }) => {
    await studio.open({ files: { '/a.txt': 'a', '/b.txt': 'b', '/c.txt': 'c', '/folder/d.txt': 'd' } });
    await studio.openFile('a.txt', 'a');
    await focus(studio.entry('a.txt'));
    await keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New name for a.txt' }).fill('renamed.txt');
    // Nothing lies over the end of the field.
    await expect.element(page.getByRole('button', { name: 'Options for /a.txt' })).not.toBeInTheDocument();
    await keyboard.press('Enter');
    await expect.element(studio.entry('renamed.txt')).toBeVisible();
    // Its tab stays open under the new name.
    await expect.element(page.getByRole('button', { name: 'Close renamed.txt' })).toBeVisible();
    await studio.entry('renamed.txt').dropTo(studio.entry('folder'));
    await expect.poll(async () => [...(await studio.workspace()).keys()].sort()).toContain('/folder/renamed.txt');
  });

  test('a name that is left is taken, without white space, unless it is invalid, and the focus stays', async ({
    studio,
  }) => {
    await studio.open({ files: { '/a.txt': 'a', '/b.txt': 'b' } });
    const paths = async () => [...(await studio.workspace()).keys()].sort();
    const name = page.getByRole('textbox', { name: 'New name for a.txt' });
    const startRenaming = async () => {
      await focus(studio.entry('a.txt'));
      await keyboard.press('F2');
    };
    const alert = page.getByRole('alert').filter({ hasText: 'b.txt' });
    await startRenaming();
    await name.fill('b.txt ');
    await studio.message.click();
    await expect.element(alert).toBeVisible();
    await expect.element(studio.message).toHaveFocus();
    await alert.getByRole('button', { name: 'Close' }).click();
    await expect.element(alert).not.toBeInTheDocument();
    await startRenaming();
    await name.fill('new.txt');
    await keyboard.press('Escape');
    await expect.element(studio.entry('a.txt')).toHaveFocus();
    await startRenaming();
    await name.fill(' c.txt  ');
    await studio.message.click();
    await expect.poll(paths).toEqual(['/b.txt', '/c.txt']);
    await expect.element(studio.message).toHaveFocus();
    await page.getByRole('button', { name: 'Options for /c.txt' }).click();
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill('/d.txt ');
    await keyboard.press('Enter');
    await expect.poll(paths).toEqual(['/b.txt', '/d.txt']);
  });

  test('deletes the selection as one step', async ({ studio }) => {
    await studio.open({ files: { '/a.txt': 'a', '/b.txt': 'b', '/c.txt': 'c' } });
    await studio.entry('b.txt').click();
    await studio.entry('c.txt').click({ modifiers: ['ControlOrMeta'] });
    await expect.element(studio.entry('c.txt')).toHaveAttribute('aria-selected', 'true');
    // A click with Ctrl only selects.
    await expect.element(page.getByRole('button', { name: 'Close b.txt' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Close c.txt' })).not.toBeInTheDocument();
    await keyboard.press('Delete');
    await expect.element(page.getByRole('dialog', { name: 'Delete 2 items?' })).toBeVisible();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(async () => [...(await studio.workspace()).keys()].sort()).toEqual(['/a.txt']);
    // The focus stays where it was.
    await expect.element(studio.entry('a.txt')).toHaveFocus();
  });

  test('the contents of a file are copied from its menu, also where nothing can be selected', async ({ studio }) => {
    await studio.open({ files: { '/a.txt': 'one\ntwo\n' } });
    await page.getByRole('button', { name: 'Options for /a.txt' }).click();
    const copied = await copiedBy(() => page.getByRole('menuitem', { name: 'Copy contents' }).click());
    expect(copied).toBe('one\ntwo\n');
  });

  test('dragging below the last entry moves to the root', async ({ studio }) => {
    await studio.open({ files: { '/src/a.txt': 'a' } });
    await expect.element(studio.entry('a.txt')).toBeVisible();
    const tree = page.getByRole('tree').element().getBoundingClientRect();
    await studio.entry('a.txt').hover();
    await mouse.down();
    await mouse.move(tree.x + 60, tree.y + 300, { steps: 5 });
    await mouse.up();
    await expect.poll(async () => Object.fromEntries(await studio.workspace())).toEqual({ '/a.txt': 'a' });
  });

  test('reports a conflict, and changes nothing', async ({ studio }) => {
    await studio.open({ files: { '/a.txt': 'a', '/b.txt': 'b' } });
    await focus(studio.entry('a.txt'));
    await keyboard.press('F2');
    // Typing replaces the name but not the extension.
    await expect.element(page.getByRole('textbox', { name: 'New name for a.txt' })).toHaveFocus();
    await keyboard.type('b');
    await keyboard.press('Enter');
    await expect.element(page.getByText('An item with that name already exists.')).toBeVisible();
    expect(Object.fromEntries(await studio.workspace())).toEqual({ '/a.txt': 'a', '/b.txt': 'b' });
    // The typed name is still there to be corrected.
    await expect.element(page.getByRole('textbox', { name: 'New name for a.txt' })).toHaveValue('b.txt');
    await expect.element(page.getByRole('textbox', { name: 'New name for a.txt' })).toHaveFocus();
    await keyboard.press('End');
    await keyboard.type('.old');
    await keyboard.press('Enter');
    await expect.element(studio.entry('b.txt.old')).toBeVisible();
  });

  test('a name of nothing but blanks is refused, for a new file and for one that exists', async ({ studio }) => {
    await studio.open({ files: { '/a.txt': 'a' } });
    await page.getByRole('button', { name: 'New file' }).click();
    const dialog = page.getByRole('dialog', { name: 'New file' });
    await dialog.getByRole('textbox').fill('/  ');
    await keyboard.press('Enter');
    await expect.element(dialog).toContainText('Invalid name');
    await keyboard.press('Escape');
    await focus(studio.entry('a.txt'));
    await keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New name for a.txt' }).fill('  ');
    await keyboard.press('Enter');
    await expect.element(page.getByText('Invalid name')).toBeVisible();
    expect(Object.fromEntries(await studio.workspace())).toEqual({ '/a.txt': 'a' });
  });

  test('shows ten thousand files without rendering them all, and has a context menu', async ({ studio }) => {
    const files = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`/f${`${n}`.padStart(5, '0')}.txt`, 'x']),
    );
    await studio.open({ files });
    await expect.element(studio.entry('f00000.txt')).toBeVisible();
    expect(studio.files.getByRole('treeitem').length).toBeLessThan(100);
    await focus(studio.entry('f00000.txt'));
    await keyboard.press('End');
    await expect.element(studio.entry('f09999.txt')).toBeVisible();
    await studio.entry('f09999.txt').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.element(studio.entry('f09999.txt')).not.toBeInTheDocument();
    await keyboard.press('ControlOrMeta+P');
    await expect.element(page.getByRole('combobox', { name: 'Command palette' })).toHaveFocus();
    await keyboard.type('f04242');
    await keyboard.press('Enter');
    await expect.element(page.getByRole('button', { name: 'Close f04242.txt' })).toBeVisible();
  });
});

test('another view and back: the tree keeps its folders, the search its query', async ({ studio }) => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`/docs/f${n}.md`, `text ${n}`]));
  await studio.open({ files: { ...files, '/closed/x.md': 'x' } });
  await studio.entry('docs').click();
  await expect.element(studio.entry('f0.md')).toBeVisible();
  await keyboard.press('ControlOrMeta+Shift+F');
  await page.getByRole('textbox', { name: 'Search in files' }).fill('text 5');
  await page.getByRole('textbox', { name: 'Replace with' }).fill('word');
  await expect.element(page.getByText('11 lines found')).toBeVisible();
  await page.getByRole('button', { name: 'Files', exact: true }).click();
  await expect.element(studio.entry('f0.md')).toBeVisible();
  await expect.element(studio.entry('x.md')).not.toBeInTheDocument();
  await page.getByRole('region', { name: 'Files' }).getByRole('button', { name: 'Search in files' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Search in files' })).toHaveValue('text 5');
  await expect.element(page.getByRole('textbox', { name: 'Replace with' })).toHaveValue('word');
  await expect.element(page.getByText('11 lines found')).toBeVisible();
});

test('the tree follows the editor into folders that were closed', async ({ studio }) => {
  const others = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`/a${n}.md`, 'x']));
  await studio.open({ files: { ...others, '/deep/er/still/last.md': 'the last one', '/a.md': 'the first one' } });
  await expect.element(studio.entry('a.md')).toBeVisible();
  await keyboard.press('ControlOrMeta+P');
  await keyboard.type('last.md');
  await keyboard.press('Enter');
  await expect.element(studio.editor.locate('.view-lines')).toContainText('the last one');
  await expect.element(studio.entry('last.md')).toBeInViewport();
  await expect.element(studio.entry('last.md')).toHaveAttribute('aria-current', 'true');
  // The user goes elsewhere in the tree, and it stays there.
  await studio.entry('deep').click();
  await expect.element(studio.entry('last.md')).not.toBeInTheDocument();
  await keyboard.press('ControlOrMeta+P');
  await keyboard.type('/a.md');
  await keyboard.press('Enter');
  await expect.element(studio.editor.locate('.view-lines')).toContainText('the first one');
  await expect.element(studio.entry('a.md')).toHaveAttribute('aria-current', 'true');
  await expect.element(studio.files.locate('[aria-current]')).toHaveLength(1);
});

test('all buttons of the file pane are inside of it at 1,024 pixels', async ({ studio }) => {
  await resizeWindow(1024, 768);
  await studio.open({ files: { '/a.txt': 'a' } });
  await page.getByRole('button', { name: 'Show the file tree' }).click();
  await expect.element(studio.entry('a.txt')).toBeVisible();
  const pane = page.getByRole('region', { name: 'Files' });
  const { right } = pane.element().getBoundingClientRect();
  for (const name of ['Files', 'Search in files', 'Timeline', 'New file', 'New folder']) {
    const button = await pane.getByRole('button', { name, exact: true }).findElement();
    expect(button.getBoundingClientRect().right, name).toBeLessThanOrEqual(right);
  }
});

test('search finds matches in all files, opens them, and replaces all in one step', async ({ studio }) => {
  await studio.open({ files: { '/a.ts': 'const one = 1;\nconst two = one;\n', '/b.md': 'one', '/c.ts': 'ONE' } });
  await expect.element(studio.entry('a.ts')).toBeVisible();
  await keyboard.press('ControlOrMeta+Shift+F');
  await page.getByRole('textbox', { name: 'Search in files' }).fill('one');
  await expect.element(page.getByText('4 lines found')).toBeVisible();
  await page.getByRole('button', { name: 'Match case' }).click();
  await page.getByRole('textbox', { name: 'Files to include' }).fill('*.ts');
  await expect.element(page.getByText('2 lines found')).toBeVisible();
  await page.getByRole('button', { name: /const two = one/ }).click();
  await expect.element(studio.editor.locate('.view-lines')).toContainText('const two');
  await expect.element(studio.editor.locate('.monaco-editor')).toHaveClass(/focused/);
  await keyboard.type('three');
  await expect.poll(async () => (await studio.workspace()).get('/a.ts')).toContain('const two = three;');
  await page.getByRole('textbox', { name: 'Replace with' }).fill('uno');
  await press(page.getByRole('textbox', { name: 'Search in files' }), 'Enter');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Replace all', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace all' }).click();
  await expect.element(page.getByText('Replaced 1 match in 1 file.')).toBeVisible();
  expect((await studio.workspace()).get('/a.ts')).toBe('const uno = 1;\nconst two = three;\n');
});

test('replaces one match, or all in one file; an invalid pattern is explained', async ({ studio }) => {
  await studio.open({ files: { '/a.ts': 'one\none\n', '/b.ts': 'one' } });
  await expect.element(studio.entry('a.ts')).toBeVisible();
  await keyboard.press('ControlOrMeta+Shift+F');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await page.getByRole('textbox', { name: 'Search in files' }).fill('(one');
  await expect.element(page.getByText('Invalid regular expression: Unterminated group')).toBeVisible();
  await page.getByRole('textbox', { name: 'Search in files' }).fill('(one)');
  await page.getByRole('textbox', { name: 'Replace with' }).fill('<$1>');
  await page.getByRole('button', { name: 'Replace on line 2 of /a.ts' }).click();
  await expect.poll(async () => (await studio.workspace()).get('/a.ts')).toBe('one\n<one>\n');
  await page.getByRole('button', { name: 'Replace all in /b.ts' }).click();
  await expect
    .poll(async () => Object.fromEntries(await studio.workspace()))
    .toEqual({
      '/a.ts': 'one\n<one>\n',
      '/b.ts': '<one>',
    });
});

// More than 400 lines: one suite for one pane; its tests share the same helpers.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { resultContent } from '#lib/tools/core/tool-call.ts';
import { expect, test } from './lib/fixtures.ts';
import { prompt, replaceTurns, writeCall } from './lib/prompt.ts';
import type { StudioPage } from './lib/studio-page.ts';

const item = (studio: StudioPage, name: string) => studio.files.getByRole('treeitem', { name, exact: true });

/** Opens a file and waits until its text is shown. */
async function openFile(studio: StudioPage, name: string, text: string): Promise<void> {
  await item(studio, name).click();
  await expect(studio.editor.locator('.view-lines')).toContainText(text, { timeout: 20_000 });
}

/** Selects files through the workspace's menu. */
async function putIn(page: Page, files: { name: string; buffer: Buffer }[]): Promise<void> {
  await page.getByRole('button', { name: /^Workspace: / }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Import files or a zip…' }).click();
  const mimeType = 'application/octet-stream';
  await (await chooser).setFiles(files.map((file) => ({ ...file, mimeType })));
}

const zipOf = (entries: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)]))));

test.describe('the tree', () => {
  test('renames in place, and moves by dragging', async ({ studio, page }) => {
    await studio.open({ files: { '/a.txt': 'a', '/b.txt': 'b', '/c.txt': 'c', '/folder/d.txt': 'd' } });
    await openFile(studio, 'a.txt', 'a');
    await item(studio, 'a.txt').focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New name for a.txt' }).fill('renamed.txt');
    await page.keyboard.press('Enter');
    await expect(item(studio, 'renamed.txt')).toBeVisible();
    // Its tab stays open under the new name.
    await expect(page.getByRole('button', { name: 'Close renamed.txt' })).toBeVisible();
    await item(studio, 'renamed.txt').dragTo(item(studio, 'folder'));
    await expect.poll(async () => [...(await studio.workspace()).keys()].sort()).toContain('/folder/renamed.txt');
  });

  test('deletes the selection as one step', async ({ studio, page }) => {
    await studio.open({ files: { '/a.txt': 'a', '/b.txt': 'b', '/c.txt': 'c' } });
    await item(studio, 'b.txt').click();
    await item(studio, 'c.txt').click({ modifiers: ['ControlOrMeta'] });
    await expect(item(studio, 'c.txt')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Delete');
    await expect(page.getByRole('dialog', { name: 'Delete 2 items?' })).toBeVisible();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(async () => [...(await studio.workspace()).keys()].sort()).toEqual(['/a.txt']);
    // The focus stays where it was.
    await expect(item(studio, 'a.txt')).toBeFocused();
  });

  test('dragging below the last entry moves to the root', async ({ studio, page }) => {
    await studio.open({ files: { '/src/a.txt': 'a' } });
    await item(studio, 'a.txt').waitFor();
    const tree = await page.getByRole('tree').boundingBox();
    await item(studio, 'a.txt').hover();
    await page.mouse.down();
    await page.mouse.move((tree?.x ?? 0) + 60, (tree?.y ?? 0) + 300, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => Object.fromEntries(await studio.workspace())).toEqual({ '/a.txt': 'a' });
  });

  test('reports a conflict, and changes nothing', async ({ studio, page }) => {
    await studio.open({ files: { '/a.txt': 'a', '/b.txt': 'b' } });
    await item(studio, 'a.txt').focus();
    await page.keyboard.press('F2');
    // Typing replaces the name but not the extension.
    await expect(page.getByRole('textbox', { name: 'New name for a.txt' })).toBeFocused();
    await page.keyboard.type('b');
    await page.keyboard.press('Enter');
    await expect(page.getByText('An item with that name already exists.')).toBeVisible();
    expect(Object.fromEntries(await studio.workspace())).toEqual({ '/a.txt': 'a', '/b.txt': 'b' });
    // The typed name is still there to be corrected.
    await expect(page.getByRole('textbox', { name: 'New name for a.txt' })).toHaveValue('b.txt');
    await expect(page.getByRole('textbox', { name: 'New name for a.txt' })).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.type('.old');
    await page.keyboard.press('Enter');
    await expect(item(studio, 'b.txt.old')).toBeVisible();
  });

  test('shows ten thousand files without rendering them all, and has a context menu', async ({ studio, page }) => {
    const files = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`/f${`${n}`.padStart(5, '0')}.txt`, 'x']),
    );
    await studio.open({ files });
    await expect(item(studio, 'f00000.txt')).toBeVisible({ timeout: 20_000 });
    expect(await studio.files.getByRole('treeitem').count()).toBeLessThan(100);
    await item(studio, 'f00000.txt').focus();
    await page.keyboard.press('End');
    await expect(item(studio, 'f09999.txt')).toBeVisible();
    await item(studio, 'f09999.txt').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(item(studio, 'f09999.txt')).toHaveCount(0);
    await page.keyboard.press('ControlOrMeta+P');
    await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeFocused();
    await page.keyboard.type('f04242');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Close f04242.txt' })).toBeVisible();
  });
});

test.describe('files in and out', () => {
  test('a zip is unpacked, asks about existing files, and can be saved again', async ({ studio, page }) => {
    await studio.open({ files: { '/src/a.ts': 'mine' } });
    await putIn(page, [
      { name: 'project.zip', buffer: zipOf({ 'src/a.ts': 'theirs', 'src/b.ts': 'b', 'empty/': '' }) },
    ]);
    const dialog = page.getByRole('dialog', { name: 'Import files' });
    await expect(dialog).toContainText('/src/a.ts');
    await dialog.getByRole('button', { name: 'Keep existing' }).click();
    await expect(dialog).toBeHidden();
    expect(Object.fromEntries(await studio.workspace())).toEqual({ '/src/a.ts': 'mine', '/src/b.ts': 'b' });
    await page.getByRole('button', { name: /^Workspace: / }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download all as zip' }).click();
    const saved = unzipSync(await readFile(await (await download).path()));
    expect(Object.entries(saved).map(([name, data]) => [name, strFromU8(data)])).toEqual([
      ['src/a.ts', 'mine'],
      ['src/b.ts', 'b'],
      ['empty/', ''],
    ]);
  });

  for (const [name, entries, reason] of [
    ['an absolute path', { 'ok.txt': 'x', '/etc/passwd': 'x' }, 'the absolute path'],
    ['a path that leads out', { 'ok.txt': 'x', '../../up.txt': 'x' }, 'points outside the folder'],
  ] as const) {
    test(`a zip with ${name} is rejected as a whole`, async ({ studio, page }) => {
      await studio.open({ files: { '/a.txt': 'a' } });
      await putIn(page, [{ name: 'bad.zip', buffer: zipOf(entries) }]);
      await expect(page.getByRole('dialog')).toContainText('Import failed');
      await expect(page.getByRole('dialog')).toContainText(reason);
      expect(Object.fromEntries(await studio.workspace())).toEqual({ '/a.txt': 'a' });
    });
  }

  test('a zip with plain relative names is imported, an empty one says so', async ({ studio, page }) => {
    await studio.open();
    await putIn(page, [{ name: 'dots.zip', buffer: zipOf({ './': '', './a/': '', './a/b.txt': 'b' }) }]);
    await expect.poll(async () => Object.fromEntries(await studio.workspace())).toMatchObject({ '/a/b.txt': 'b' });
    await putIn(page, [{ name: 'empty.zip', buffer: zipOf({}) }]);
    await expect(page.getByRole('dialog')).toContainText('it’s empty');
  });

  test('a zip that unpacks to too much, and an invalid one, are rejected', async ({ studio, page }) => {
    await studio.open();
    const zeros = zipSync({ 'bomb.bin': new Uint8Array(600_000_000) }, { level: 9 });
    await putIn(page, [{ name: 'bomb.zip', buffer: Buffer.from(zeros) }]);
    await expect(page.getByRole('dialog')).toContainText('it unpacks to more than 500 MB', { timeout: 20_000 });
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    await putIn(page, [{ name: 'no.zip', buffer: Buffer.from('this is no zip') }]);
    await expect(page.getByRole('dialog')).toContainText('the zip file is damaged');
    expect((await studio.workspace()).size).toBe(0);
  });

  test('an image is shown, and other binary files say so', async ({ studio, page }) => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await studio.open();
    await putIn(page, [
      { name: 'dot.png', buffer: Buffer.from(pixel, 'base64') },
      { name: 'data.bin', buffer: Buffer.from([1, 0, 2]) },
    ]);
    await item(studio, 'dot.png').click();
    await expect(studio.editor.getByRole('img', { name: 'Image dot.png' })).toBeVisible({ timeout: 20_000 });
    await expect(studio.editor).toContainText('1 × 1');
    await item(studio, 'data.bin').click();
    await expect(studio.editor).toContainText('This file isn’t text');
    await expect(studio.editor).toContainText('3 bytes');
  });
});

test('another view and back: the tree keeps its folders, the search its query', async ({ studio, page }) => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`/docs/f${n}.md`, `text ${n}`]));
  await studio.open({ files: { ...files, '/closed/x.md': 'x' } });
  await item(studio, 'docs').click();
  await expect(item(studio, 'f0.md')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Shift+F');
  await page.getByRole('textbox', { name: 'Search in files' }).fill('text 5');
  await page.getByRole('textbox', { name: 'Replace with' }).fill('word');
  await expect(page.getByText('11 lines found')).toBeVisible();
  await page.getByRole('button', { name: 'Files', exact: true }).click();
  await expect(item(studio, 'f0.md')).toBeVisible();
  await expect(item(studio, 'x.md')).toBeHidden();
  await page.getByRole('region', { name: 'Files' }).getByRole('button', { name: 'Search in files' }).click();
  await expect(page.getByRole('textbox', { name: 'Search in files' })).toHaveValue('text 5');
  await expect(page.getByRole('textbox', { name: 'Replace with' })).toHaveValue('word');
  await expect(page.getByText('11 lines found')).toBeVisible();
});

test('the tree follows the editor into folders that were closed', async ({ studio, page }) => {
  const others = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`/a${n}.md`, 'x']));
  await studio.open({ files: { ...others, '/deep/er/still/last.md': 'the last one', '/a.md': 'the first one' } });
  await item(studio, 'a.md').waitFor();
  await page.keyboard.press('ControlOrMeta+P');
  await page.keyboard.type('last.md');
  await page.keyboard.press('Enter');
  await expect(studio.editor.locator('.view-lines')).toContainText('the last one', { timeout: 20_000 });
  await expect(item(studio, 'last.md')).toBeInViewport();
  await expect(item(studio, 'last.md')).toHaveAttribute('aria-current', 'true');
  // The user goes elsewhere in the tree, and it stays there.
  await item(studio, 'deep').click();
  await expect(item(studio, 'last.md')).toBeHidden();
  await page.keyboard.press('ControlOrMeta+P');
  await page.keyboard.type('/a.md');
  await page.keyboard.press('Enter');
  await expect(studio.editor.locator('.view-lines')).toContainText('the first one');
  await expect(item(studio, 'a.md')).toHaveAttribute('aria-current', 'true');
  await expect(studio.files.locator('[aria-current]')).toHaveCount(1);
});

test('the editor’s context menu covers what is behind it', async ({ studio, page }) => {
  await studio.open({ files: { '/a.ts': 'const one = 1;' } });
  await openFile(studio, 'a.ts', 'const one');
  for (const theme of ['Light', 'Dark']) {
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await studio.choose('Theme', theme);
    await page.keyboard.press('Escape');
    await studio.editor.getByText('const').click({ button: 'right' });
    const menu = page.locator('.monaco-menu').first();
    await expect(menu).toBeVisible();
    const background = await menu.evaluate((element) => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const color = getComputedStyle(at).backgroundColor;
        if (at.closest('.context-view') !== null && color !== 'rgba(0, 0, 0, 0)') return color;
      }
      return 'none';
    });
    expect(background, theme).toMatch(/^rgb\(/);
    // It is not cut off where the editor ends.
    const box = await menu.boundingBox();
    const isOnTop = await page.evaluate(
      ([x, y]) => document.elementFromPoint(x, y)?.closest('.shadow-root-host') != null,
      [(box?.x ?? 0) + 3, (box?.y ?? 0) + 12] as const,
    );
    expect(isOnTop, theme).toBe(true);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
  }
});

test.describe('at 1,024 pixels', () => {
  test.use({ viewport: { width: 1024, height: 768 } });

  test('all buttons of the file pane are inside of it', async ({ studio, page }) => {
    await studio.open({ files: { '/a.txt': 'a' } });
    await page.getByRole('button', { name: 'Show the file tree' }).click();
    await item(studio, 'a.txt').waitFor();
    const pane = await page.getByRole('region', { name: 'Files' }).boundingBox();
    const right = (pane?.x ?? 0) + (pane?.width ?? 0);
    for (const name of ['Files', 'Search in files', 'Timeline', 'New file', 'New folder']) {
      const box = await page
        .getByRole('region', { name: 'Files' })
        .getByRole('button', { name, exact: true })
        .boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? Number.POSITIVE_INFINITY), name).toBeLessThanOrEqual(right);
    }
  });
});

test('search finds matches in all files, opens them, and replaces all in one step', async ({ studio, page }) => {
  await studio.open({ files: { '/a.ts': 'const one = 1;\nconst two = one;\n', '/b.md': 'one', '/c.ts': 'ONE' } });
  await item(studio, 'a.ts').waitFor();
  await page.keyboard.press('ControlOrMeta+Shift+F');
  await page.getByRole('textbox', { name: 'Search in files' }).fill('one');
  await expect(page.getByText('4 lines found')).toBeVisible();
  await page.getByRole('button', { name: 'Match case' }).click();
  await page.getByRole('textbox', { name: 'Files to include' }).fill('*.ts');
  await expect(page.getByText('2 lines found')).toBeVisible();
  await page.getByRole('button', { name: /const two = one/ }).click();
  await expect(studio.editor.locator('.view-lines')).toContainText('const two', { timeout: 20_000 });
  await expect(studio.editor.locator('.monaco-editor')).toHaveClass(/focused/);
  await page.keyboard.type('three');
  await expect.poll(async () => (await studio.workspace()).get('/a.ts')).toContain('const two = three;');
  await page.getByRole('textbox', { name: 'Replace with' }).fill('uno');
  await page.getByRole('textbox', { name: 'Search in files' }).press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: 'Replace all', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace all' }).click();
  await expect(page.getByText('Replaced 1 match in 1 file.')).toBeVisible();
  expect((await studio.workspace()).get('/a.ts')).toBe('const uno = 1;\nconst two = three;\n');
});

test('replaces one match, or all in one file; an invalid pattern is explained', async ({ studio, page }) => {
  await studio.open({ files: { '/a.ts': 'one\none\n', '/b.ts': 'one' } });
  await item(studio, 'a.ts').waitFor();
  await page.keyboard.press('ControlOrMeta+Shift+F');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await page.getByRole('textbox', { name: 'Search in files' }).fill('(one');
  await expect(page.getByText('Invalid regular expression: Unterminated group')).toBeVisible();
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

const CORRECT_BUTTON = `import React, { type ButtonHTMLAttributes, forwardRef, type ReactNode, useId, useRef, useState } from 'react';
import styles from './button.module.css';
import { cn } from '@/lib/cn';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'primary' | 'secondary';
  icon?: ReactNode;
}

export const Button: React.FC<ButtonProps> = ({ variant = 'primary', icon, children, className, style, ...rest }) => {
  const id = useId();
  const ref = useRef<HTMLButtonElement>(null);
  const [clicks, setClicks] = useState<number[]>([]);
  return (
    <button
      ref={ref}
      id={id}
      className={cn(styles.button, className)}
      style={{ display: 'flex', gap: 8, ...style }}
      data-variant={variant}
      onClick={(event) => setClicks([...clicks, event.clientX])}
      {...rest}
    >
      {icon}
      {children}
      {clicks.map((click) => (
        <i key={click}>{click.toFixed(0)}</i>
      ))}
    </button>
  );
};

export const Field = forwardRef<HTMLInputElement, { label: string }>(({ label }, ref) => (
  <label>
    {label}
    <input ref={ref} onChange={(event) => console.log(event.target.value)} />
  </label>
));
`;
const CORRECT_CHART = `import { useEffect, useRef } from 'react';
import * as d3 from 'd3';
import Chart from 'chart.js/auto';
import { create } from 'zustand';

interface Store { points: number[]; add(point: number): void }
const useStore = create<Store>((set) => ({ points: [], add: (point) => set((s: Store) => ({ points: [...s.points, point] })) }));

export function Plot() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const points = useStore((state: Store) => state.points);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const scale = d3.scaleLinear<number>().domain([0, 1]);
    const chart: Chart = new Chart(context, { data: points.map((point) => scale(point)) });
    return () => chart.destroy();
  }, [points]);
  return <canvas ref={canvas} />;
}
`;
const CORRECT_MAIN = `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createPortal } from 'react-dom';
import { Button } from './Button';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Button variant="secondary">Save</Button>
    {createPortal(<p aria-live="polite">Saved</p>, document.body)}
  </StrictMode>,
);
`;
const CORRECT_SERVER = `import express, { type Request } from 'express';
import { readFile } from 'node:fs/promises';
import { part } from '@scope/a/part';
import confetti from 'https://esm.sh/canvas-confetti';

express().get('/', async (request: Request) => part(await readFile(request.url, 'utf8'), confetti));
`;

test.describe('the editor', () => {
  const PROJECT = {
    '/src/App.tsx': 'import { Counter } from \'./Counter\';\nexport const App = () => <Counter start="one" />;\n',
    '/src/Counter.tsx': 'export function Counter({ start }: { start: number }) {\n  return <b>{start}</b>;\n}\n',
  };

  test('knows the types of other files, and goes to definitions in them', async ({ studio, page }) => {
    await studio.open({ files: PROJECT });
    await openFile(studio, 'App.tsx', 'Counter');
    await expect(studio.editor.locator('.squiggly-error')).toBeVisible({ timeout: 30_000 });
    await studio.editor.locator('.view-lines').getByText('Counter', { exact: false }).first().click();
    await page.keyboard.press('Control+Home');
    for (let n = 0; n < 10; n++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F12');
    await expect(page.getByRole('button', { name: 'Close Counter.tsx' })).toBeVisible({ timeout: 20_000 });
    await expect(studio.editor.locator('.view-lines')).toContainText('return <b>');
  });

  test('an unresolved import is the only error, until it can be resolved', async ({ studio, page }) => {
    const text =
      "import { useState } from 'react';\nimport { x } from './gone';\nexport const One = () => <p>{x.a(useState(1))}</p>;\n";
    await studio.open({ files: { '/src/One.tsx': text, '/src/here.ts': 'export const x = { a: String };\n' } });
    await openFile(studio, 'One.tsx', 'useState');
    await expect(studio.editor.locator('.squiggly-error')).toHaveCount(1, { timeout: 30_000 });
    await studio.editor.locator('.view-lines').click();
    await page.keyboard.press('F8');
    await expect(studio.editor.getByText("Cannot find module './gone'.")).toBeVisible();
    await page.keyboard.press('Escape');
    await studio.files.getByRole('treeitem', { name: 'here.ts' }).click();
    await page.keyboard.press('F2');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('gone.ts');
    await page.keyboard.press('Enter');
    await studio.files.getByRole('treeitem', { name: 'One.tsx' }).click();
    await expect(studio.editor.locator('.squiggly-error')).toHaveCount(0, { timeout: 30_000 });
    await expect(studio.editor.locator('.view-lines')).toContainText('useState');
  });

  test('the model gets the same problems for TypeScript, JSON, CSS and HTML', async ({ studio, bench }) => {
    const question = prompt('Check my project');
    bench.model.script(question, [
      { calls: [{ name: 'get_diagnostics', arguments: '{}' }] },
      { calls: [{ name: 'diagnostics', arguments: '{"path":"/src/Counter.tsx"}' }] },
      { text: 'Checked.' },
    ]);
    await studio.open({
      files: {
        ...PROJECT,
        '/data.json': '{"a": 1,}',
        '/page.html': '<div>\n<style>p { colr: red; }</style>\n<script>let = ;</script>\n',
        '/style.css': 'p { color: red;',
      },
    });
    await studio.say(question);
    await studio.settled(1, { timeout: 60_000 });
    const results = (await studio.turns())[0]?.parts.flatMap((part) =>
      part.type === 'tool-call' && part.result?.type === 'tool-result' ? [resultContent(part.result)] : [],
    );
    const lines = results?.[0]?.split('\n') ?? [];
    expect(lines).toEqual([
      '/data.json:1:8 error Trailing comma (json)',
      '/page.html:1:1 warning <div> is never closed. (html)',
      expect.stringMatching(/^\/page\.html:2:\d+ warning .*colr.*\(css\)$/),
      expect.stringMatching(/^\/page\.html:3:\d+ error .*\(js\)$/),
      "/src/App.tsx:2:35 error Type 'string' is not assignable to type 'number'. (ts)",
      expect.stringMatching(/^\/style\.css:1:\d+ error .*\(css\)$/),
    ]);
    expect(results?.[1]).toBe('No problems.');
  });

  test('correct React code has no errors, and a missing package is one error at its import', async ({
    studio,
    bench,
  }) => {
    const question = prompt('Check my components');
    bench.model.script(question, [{ calls: [{ name: 'get_diagnostics', arguments: '{}' }] }, { text: 'Checked.' }]);
    await studio.open({
      files: {
        '/package.json': '{"dependencies":{"express":"5","@scope/a":"1"},"devDependencies":{"@types/node":"24"}}',
        '/src/lib/cn.ts': 'export const cn = (...names: (string | undefined)[]): string => names.join(" ");\n',
        '/src/button.module.css': '.button { color: red; }\n',
        '/src/Button.tsx': CORRECT_BUTTON,
        '/src/app/[slug]/page.tsx':
          "import { label } from './label';\nimport { cn } from '@/lib/cn';\nexport const Page = () => <p className={cn(label)}>{label.trim()}</p>;\n",
        '/src/app/[slug]/label.ts': "export const label = 'x';\n",
        '/src/Chart.tsx': CORRECT_CHART,
        '/src/main.tsx': CORRECT_MAIN,
        '/src/server.ts': CORRECT_SERVER,
        '/src/Missing.tsx': [
          "import { Fancy, type FancyProps } from 'fancy-buttons';",
          "import type * as Types from 'fancy-types';",
          "import { local } from './local';",
          "import { cn } from '@/lib/cn';",
          'interface Props extends FancyProps, Types.More { size: number }',
          'export const Missing = ({ size, label, onPick }: Props) => (',
          '  <Fancy<string> size={size} onPick={(event) => onPick(event.target, label.trim())} />',
          ');',
          'export class Wide extends Fancy { go(): Types.Step { return this.step(1, local.a, cn(5)); } }',
        ].join('\n'),
        '/src/Wrong.tsx':
          'export const Wrong = () => <button type="go" onClick={(event) => event.nothing}>x</button>;\n',
      },
    });
    await studio.say(question);
    await studio.settled(1, { timeout: 60_000 });
    const result = (await studio.turns())[0]?.parts.find((part) => part.type === 'tool-call')?.result;
    const content = result?.type === 'tool-result' ? resultContent(result) : '';
    expect(content.split('\n')).toEqual([
      expect.stringMatching(/^\/src\/Missing\.tsx:1:\d+ error Cannot find module 'fancy-buttons'/),
      expect.stringMatching(/^\/src\/Missing\.tsx:2:\d+ error Cannot find module 'fancy-types'/),
      expect.stringMatching(/^\/src\/Missing\.tsx:3:\d+ error Cannot find module '\.\/local'/),
      expect.stringMatching(/^\/src\/Missing\.tsx:9:\d+ error Argument of type 'number' is not assignable/),
      expect.stringMatching(/^\/src\/Wrong\.tsx:1:\d+ error Type '"go"' is not assignable/),
      expect.stringMatching(/^\/src\/Wrong\.tsx:1:\d+ error Property 'nothing' does not exist/),
    ]);
  });

  test('undo goes back to the opened text and no further; the model’s changes are separate steps', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('Add a line');
    const edit = JSON.stringify({ path: '/a.txt', find: 'three', replace: 'three from the model' });
    bench.model.script(question, [{ calls: [{ name: 'edit_file', arguments: edit }] }, { text: 'Added.' }]);
    await studio.open({ files: { '/a.txt': 'one\ntwo\nthree\n' } });
    const text = async () => (await studio.workspace()).get('/a.txt');
    await page.keyboard.press('ControlOrMeta+P');
    // Immediately, before the palette can appear: none of it may go elsewhere.
    await page.keyboard.type('a.txt');
    await expect(page.getByRole('combobox', { name: 'Command palette' })).toHaveValue('a.txt');
    await expect(page.getByRole('option', { name: '/a.txt' })).toBeVisible();
    await page.keyboard.press('Enter');
    // The file has the focus.
    await expect(studio.editor.locator('.monaco-editor.focused')).toBeVisible({ timeout: 20_000 });
    await page.keyboard.press('ControlOrMeta+Z');
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('mine ');
    await expect.poll(text).toBe('mine one\ntwo\nthree\n');
    await studio.say(question);
    await studio.settled();
    await expect.poll(text).toBe('mine one\ntwo\nthree from the model\n');
    await studio.editor.locator('.view-lines').click();
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(text).toBe('mine one\ntwo\nthree\n');
    for (let n = 0; n < 5; n++) await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(text).toBe('one\ntwo\nthree\n');
  });

  test('a conflict shows both sides and a merge; the chosen text is saved', async ({ studio, bench, page }) => {
    const question = prompt('Change the last line');
    // More than one: a change just after a save meets no unsaved edit, and is shown at once.
    const edits = ['three', 'three 1', 'three 2', 'three 3', 'three from the model'].flatMap((find, n, all) =>
      n + 1 < all.length ? [JSON.stringify({ path: '/a.txt', find, replace: all[n + 1] })] : [],
    );
    bench.model.script(question, [
      ...edits.map((edit, n) => ({
        calls: [{ name: 'edit_file', arguments: edit }],
        ...(n === 0 && { hold: { after: 20, gate: 'write' } }),
      })),
      { text: 'Changed.' },
    ]);
    await studio.open({ files: { '/a.txt': 'one\ntwo\nthree\n' } });
    await openFile(studio, 'a.txt', 'one');
    await studio.say(question);
    await studio.editor.locator('.view-lines').click();
    await page.keyboard.press('Control+Home');
    // Type without a pause until the model's change arrives.
    const conflict = page.getByRole('region', { name: 'Two versions of this file' });
    const compare = page.getByRole('button', { name: 'Compare and merge…' });
    await page.keyboard.type('mine ');
    bench.model.open('write');
    for (let n = 0; n < 40 && !(await compare.isVisible()); n++) await page.keyboard.type('x'.repeat(30));
    // Further typing goes nowhere else.
    await page.keyboard.type(' end of the line');
    await studio.settled();
    await compare.click();
    await expect(conflict).toBeVisible();
    await expect(conflict).toContainText('three from the model');
    await conflict.getByRole('button', { name: 'Save merged version' }).click();
    await expect(conflict).toBeHidden();
    // The view disappears as soon as the user has chosen, and the file is written after that.
    await expect
      .poll(async () => (await studio.workspace()).get('/a.txt'))
      .toMatch(/^mine x* end of the lineone\ntwo\nthree from the model\n$/);
  });

  test('a file appears as the model writes it, and is not in the workspace before that', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('Write a story');
    const story = Array.from({ length: 200 }, (_, n) => `Line ${n} of the story.`).join('\n');
    bench.model.script(question, [
      { calls: writeCall('/story.txt', story), piece: 100, hold: { after: 2_000, gate: 'story' } },
      { text: 'Written.' },
    ]);
    await studio.open();
    await studio.say(question);
    const live = page.getByRole('region', { name: '/story.txt, as the model writes it' });
    await expect(live).toContainText('Line 50 of the story.');
    await expect(page.getByText('It isn’t in the workspace yet.')).toBeVisible();
    expect((await studio.workspace()).size).toBe(0);
    bench.model.open('story');
    await studio.settled();
    await expect(live).toBeHidden();
    await expect(studio.editor.locator('.view-lines')).toContainText('Line 0 of the story.', { timeout: 20_000 });
    expect((await studio.workspace()).get('/story.txt')).toBe(story);
  });

  test('compares a file with its state before the last message', async ({ studio, bench, page }) => {
    const question = prompt('Change it');
    bench.model.script(question, [...replaceTurns('/a.txt', 'after'), { text: 'Changed.' }]);
    await studio.open({ files: { '/a.txt': 'before' } });
    await studio.say(question);
    await studio.settled();
    await item(studio, 'a.txt').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Compare with state before last message' }).click();
    const diff = studio.editor.locator('.monaco-diff-editor');
    await expect(diff).toContainText('before', { timeout: 20_000 });
    await expect(diff).toContainText('after');
  });
});

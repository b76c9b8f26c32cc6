import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { importFiles } from '#components/files/test/import-files.ts';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt, readCall, replaceTurns, writeCall } from '#e2e/lib/prompt.ts';
import { resultContent, resultText } from '#lib/tools/core/tool-call.ts';
import { loadEditor } from './test/load-editor.ts';

loadEditor();

/** The color behind a menu's entries. */
function backgroundOf(menu: Element): string {
  for (let at: Element | null = menu; at !== null; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    if (at.closest('.context-view') !== null && color !== 'rgba(0, 0, 0, 0)') return color;
  }
  return 'none';
}

test('the editor’s context menu covers what is behind it', async ({ studio }) => {
  await studio.open({ files: { '/a.ts': 'const one = 1;' } });
  await studio.openFile('a.ts', 'const one');
  for (const theme of ['Light', 'Dark']) {
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await studio.choose('Theme', theme);
    await keyboard.press('Escape');
    await studio.editor.getByText('const').click({ button: 'right' });
    const menu = page.locate('.monaco-menu').first();
    await expect.element(menu).toBeVisible();
    expect(backgroundOf(menu.element()), theme).toMatch(/^rgb\(/);
    // It is not cut off where the editor ends.
    const { x, y } = menu.element().getBoundingClientRect();
    expect(document.elementFromPoint(x + 3, y + 12)?.closest('.shadow-root-host'), theme).not.toBeNull();
    await keyboard.press('Escape');
    await expect.element(menu).not.toBeInTheDocument();
  }
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

/** The wait for language services, which are large, and start with the first file that needs them. */
const SERVICE = { timeout: 30_000 };
const SLOW = { timeout: 60_000 };

const PROJECT = {
  '/src/App.tsx': 'import { Counter } from \'./Counter\';\nexport const App = () => <Counter start="one" />;\n',
  '/src/Counter.tsx': 'export function Counter({ start }: { start: number }) {\n  return <b>{start}</b>;\n}\n',
};

test('knows the types of other files, and goes to definitions in them', SLOW, async ({ studio }) => {
  await studio.open({ files: PROJECT });
  await studio.openFile('App.tsx', 'Counter');
  await expect.element(studio.editor.locate('.squiggly-error'), SERVICE).toBeVisible();
  await studio.editor.locate('.view-lines').getByText('Counter', { exact: false }).first().click();
  await keyboard.press('Control+Home');
  for (let n = 0; n < 10; n++) await keyboard.press('ArrowRight');
  await keyboard.press('F12');
  await expect.element(page.getByRole('button', { name: 'Close Counter.tsx' }), SERVICE).toBeVisible();
  await expect.element(studio.editor.locate('.view-lines')).toContainText('return <b>');
});

test('an unresolved import is the only error, until it can be resolved', SLOW, async ({ studio }) => {
  const text =
    "import { useState } from 'react';\nimport { x } from './gone';\nexport const One = () => <p>{x.a(useState(1))}</p>;\n";
  await studio.open({ files: { '/src/One.tsx': text, '/src/here.ts': 'export const x = { a: String };\n' } });
  await studio.openFile('One.tsx', 'useState');
  await expect.element(studio.editor.locate('.squiggly-error'), SERVICE).toHaveLength(1);
  await studio.editor.locate('.view-lines').click();
  await keyboard.press('F8');
  await expect.element(studio.editor.getByText("Cannot find module './gone'.")).toBeVisible();
  await keyboard.press('Escape');
  await studio.files.getByRole('treeitem', { name: 'here.ts' }).click();
  await keyboard.press('F2');
  await keyboard.press('ControlOrMeta+A');
  await keyboard.type('gone.ts');
  await keyboard.press('Enter');
  await studio.files.getByRole('treeitem', { name: 'One.tsx' }).click();
  await expect.element(studio.editor.locate('.squiggly-error'), SERVICE).not.toBeInTheDocument();
  await expect.element(studio.editor.locate('.view-lines')).toContainText('useState');
});

test('the model gets the same problems for TypeScript, JSON, CSS and HTML', SLOW, async ({ studio }) => {
  const question = prompt('Check my project');
  await model.script(question, [
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
  await studio.settled(1, SERVICE);
  const results = (await studio.turns())[0]?.parts.flatMap((part) =>
    part.type === 'tool-call' && part.result !== undefined ? [resultText(part.result)] : [],
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

test('correct React code has no errors, and a missing package is one error at its import', SLOW, async ({ studio }) => {
  const question = prompt('Check my components');
  await model.script(question, [{ calls: [{ name: 'get_diagnostics', arguments: '{}' }] }, { text: 'Checked.' }]);
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
      '/src/Wrong.tsx': 'export const Wrong = () => <button type="go" onClick={(event) => event.nothing}>x</button>;\n',
    },
  });
  await studio.say(question);
  await studio.settled(1, SERVICE);
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

test('undo goes back to the opened text and no further; the model’s changes are separate steps', async ({ studio }) => {
  const question = prompt('Add a line');
  const edit = JSON.stringify({ path: '/a.txt', find: 'three', replace: 'three from the model' });
  await model.script(question, [{ calls: [{ name: 'edit_file', arguments: edit }] }, { text: 'Added.' }]);
  await studio.open({ files: { '/a.txt': 'one\ntwo\nthree\n' } });
  const text = async () => (await studio.workspace()).get('/a.txt');
  await keyboard.press('ControlOrMeta+P');
  // Immediately, before the palette can appear: none of it may go elsewhere.
  await keyboard.type('a.txt');
  await expect.element(page.getByRole('combobox', { name: 'Command palette' })).toHaveValue('a.txt');
  await expect.element(page.getByRole('option', { name: '/a.txt' })).toBeVisible();
  await keyboard.press('Enter');
  // The file has the focus.
  await expect.element(studio.editor.locate('.monaco-editor.focused')).toBeVisible();
  await keyboard.press('ControlOrMeta+Z');
  await keyboard.press('ControlOrMeta+Home');
  await keyboard.type('mine ');
  await expect.poll(text).toBe('mine one\ntwo\nthree\n');
  await studio.say(question);
  await studio.settled();
  await expect.poll(text).toBe('mine one\ntwo\nthree from the model\n');
  await studio.editor.locate('.view-lines').click();
  await keyboard.press('ControlOrMeta+Z');
  await expect.poll(text).toBe('mine one\ntwo\nthree\n');
  for (let n = 0; n < 5; n++) await keyboard.press('ControlOrMeta+Z');
  await expect.poll(text).toBe('one\ntwo\nthree\n');
});

test('a conflict shows both sides and a merge; the chosen text is saved', async ({ studio }) => {
  const [question, gate] = [prompt('Change the last line'), prompt('write')];
  // More than one: a change just after a save meets no unsaved edit, and is shown at once.
  const edits = ['three', 'three 1', 'three 2', 'three 3', 'three from the model'].flatMap((find, n, all) =>
    n + 1 < all.length ? [JSON.stringify({ path: '/a.txt', find, replace: all[n + 1] })] : [],
  );
  await model.script(question, [
    ...edits.map((edit, n) => ({
      calls: [{ name: 'edit_file', arguments: edit }],
      ...(n === 0 && { hold: { after: 20, gate } }),
    })),
    { text: 'Changed.' },
  ]);
  await studio.open({ files: { '/a.txt': 'one\ntwo\nthree\n' } });
  await studio.openFile('a.txt', 'one');
  await studio.say(question);
  await studio.editor.locate('.view-lines').click();
  await keyboard.press('Control+Home');
  // Type without a pause until the model's change arrives.
  const conflict = page.getByRole('region', { name: 'Two versions of this file' });
  const compare = page.getByRole('button', { name: 'Compare and merge…' });
  await keyboard.type('mine ');
  await model.open(gate);
  for (let n = 0; n < 40 && compare.query() === null; n++) await keyboard.type('x'.repeat(30));
  // Further typing goes nowhere else.
  await keyboard.type(' end of the line');
  await studio.settled();
  await compare.click();
  await expect.element(conflict).toBeVisible();
  await expect.element(conflict).toContainText('three from the model');
  await conflict.getByRole('button', { name: 'Save merged version' }).click();
  await expect.element(conflict).not.toBeInTheDocument();
  // The view disappears as soon as the user has chosen, and the file is written after that.
  await expect
    .poll(async () => (await studio.workspace()).get('/a.txt'))
    .toMatch(/^mine x* end of the lineone\ntwo\nthree from the model\n$/);
});

test('a file appears as the model writes it, and is not in the workspace before that', async ({ studio }) => {
  const [question, gate] = [prompt('Write a story'), prompt('story')];
  const story = Array.from({ length: 200 }, (_, n) => `Line ${n} of the story.`).join('\n');
  await model.script(question, [
    { calls: writeCall('/story.txt', story), piece: 100, hold: { after: 2_000, gate } },
    { text: 'Written.' },
  ]);
  await studio.open();
  await studio.say(question);
  const live = page.getByRole('region', { name: '/story.txt, as the model writes it' });
  await expect.element(live).toContainText('Line 50 of the story.');
  await expect.element(page.getByText('It isn’t in the workspace yet.')).toBeVisible();
  expect((await studio.workspace()).size).toBe(0);
  await model.open(gate);
  await studio.settled();
  await expect.element(live).not.toBeInTheDocument();
  await expect.element(studio.editor.locate('.view-lines')).toContainText('Line 0 of the story.');
  expect((await studio.workspace()).get('/story.txt')).toBe(story);
});

test('compares a file with its state before the last message', async ({ studio }) => {
  const question = prompt('Change it');
  await model.script(question, [...replaceTurns('/a.txt', 'after'), { text: 'Changed.' }]);
  await studio.open({ files: { '/a.txt': 'before' } });
  await studio.say(question);
  await studio.settled();
  await studio.entry('a.txt').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compare with version before last message' }).click();
  const diff = studio.editor.locate('.monaco-diff-editor');
  await expect.element(diff).toContainText('before');
  await expect.element(diff).toContainText('after');
});

test('an image is shown, and other binary files say so', async ({ studio }) => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await studio.open();
  await importFiles([
    { name: 'dot.png', content: Uint8Array.fromBase64(pixel) },
    { name: 'data.bin', content: Uint8Array.of(1, 0, 2) },
  ]);
  await studio.entry('dot.png').click();
  await expect.element(studio.editor.getByRole('img', { name: 'Image dot.png' })).toBeVisible();
  await expect.element(studio.editor).toContainText('1 × 1');
  await studio.entry('data.bin').click();
  await expect.element(studio.editor).toContainText('This file isn’t text');
  await expect.element(studio.editor).toContainText('3 bytes');
});

test('a whole-file write does not erase what the user has typed since the model read the file', async ({ studio }) => {
  const [first, second, third] = [prompt('Read it'), prompt('Rewrite it'), prompt('And once more')];
  await model.script(first, [{ calls: readCall('/notes.md') }, { text: 'Read.' }]);
  await model.script(second, [
    { calls: [...writeCall('/notes.md', '# Mine\n'), ...writeCall('/unread.md', '# Mine\n')] },
    // The model had not seen what it reads in the same step when it wrote the call.
    { calls: [...readCall('/notes.md'), ...writeCall('/notes.md', '# Too early\n')] },
    { calls: writeCall('/notes.md', '# Notes\n\nFrom the model.\nTyped by hand.\n') },
    { text: 'Written.' },
  ]);
  await model.script(third, [{ calls: writeCall('/notes.md', '# Last\n') }, { text: 'Done.' }]);
  await studio.open({ files: { '/notes.md': '# Notes\n', '/unread.md': '# Keep me\n' } });
  await studio.say(first);
  await studio.settled(1);
  await studio.openFile('notes.md', '# Notes');
  await studio.editor.locate('.view-lines').click();
  await keyboard.press('Control+End');
  await keyboard.type('Typed by hand.');
  await expect.poll(async () => (await studio.workspace()).get('/notes.md')).toBe('# Notes\nTyped by hand.');
  await studio.say(second);
  await studio.settled(2);
  const failures = (await studio.turns())[1]?.parts.flatMap((part) =>
    part.type === 'tool-call' && part.result?.type === 'tool-error' ? [part.result.message] : [],
  );
  expect(failures).toEqual([
    expect.stringMatching(/^Not written\. \/notes\.md has changed since .*\n\+Typed by hand\.\n/s),
    expect.stringMatching(/^Not written\. \/unread\.md already exists/),
    expect.stringMatching(/^Not written\. \/notes\.md has changed since/),
  ]);
  expect(Object.fromEntries(await studio.workspace())).toEqual({
    '/notes.md': '# Notes\n\nFrom the model.\nTyped by hand.\n',
    '/unread.md': '# Keep me\n',
  });
  // Switching to another message and back restores what the model knows; it does not count as a change by others.
  await studio.say(third);
  await studio.settled(3);
  expect((await studio.workspace()).get('/notes.md')).toBe('# Last\n');
});

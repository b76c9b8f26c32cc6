import { describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { runTool } from '../test/run-tool.ts';
import { applyPatch } from './apply-patch.ts';
import { editFile } from './edit-file.ts';
import { multiEdit } from './multi-edit.ts';
import { withoutOutputs } from './notebook.ts';
import { readFile } from './read-file.ts';
import { writeFile } from './write-file.ts';

const SOURCE = ['import pandas as pd\n', 'df.plot()'];

const notebook = (png: string) => ({
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Sales\n'] },
    {
      cell_type: 'code',
      execution_count: 1,
      metadata: {},
      source: SOURCE,
      outputs: [{ output_type: 'display_data', data: { 'image/png': png }, metadata: {} }],
    },
  ],
  metadata: { kernelspec: { name: 'python3' } },
  nbformat: 4,
  nbformat_minor: 5,
});

const written = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;

const PATH = '/a.ipynb';

async function stored(text: string): Promise<MemoryFileSystem> {
  const fileSystem = new MemoryFileSystem();
  await fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile(PATH, new TextEncoder().encode(text)));
  return fileSystem;
}

const textIn = async (fileSystem: MemoryFileSystem): Promise<string> =>
  new TextDecoder().decode(await fileSystem.readFile(PATH));

test('a notebook is read cell by cell, with its outputs shortened, however large they are', async () => {
  const fileSystem = await stored(written(notebook('A'.repeat(2_000_000))));
  const { content, files } = await runTool(readFile, { path: PATH }, fileSystem);
  expect(content).toBe(
    `## Cell 1 (markdown)

# Sales

## Cell 2 (code)

import pandas as pd
df.plot()

[Output]
[image/png, 2000000 characters]
[/a.ipynb is a notebook of 2 cells.]
[Change a cell with edit_file: "find" is text of its source, and outputs are kept. With pages "json", you get the JSON, to add or remove cells.]`,
  );
  // A model that has not seen the outputs may not replace them.
  expect(files ?? []).toEqual([]);
  const { content: second } = await runTool(readFile, { path: PATH, pages: '2' }, fileSystem);
  expect(second).toMatch(/^## Cell 2 \(code\)\n/);
  await expect(runTool(readFile, { path: PATH, pages: '3' }, fileSystem)).rejects.toThrow('There is no cell "3"');
});

test('text outputs and errors are shown, and cut', async () => {
  const outputs = [
    { output_type: 'stream', name: 'stdout', text: ['one\n', 'two\n'] },
    { output_type: 'execute_result', data: { 'text/html': ['<b>7</b>'], 'text/plain': ['7'] } },
    { output_type: 'error', ename: 'ValueError', evalue: 'bad', traceback: ['…'] },
    { output_type: 'stream', name: 'stdout', text: 'x'.repeat(5_000) },
  ];
  const fileSystem = await stored(written({ cells: [{ cell_type: 'code', source: 'f()', outputs }] }));
  const { content } = await runTool(readFile, { path: PATH }, fileSystem);
  expect(content).toContain('f()\n\n[Output]\none\ntwo\n7\nValueError: bad\nxxx');
  expect(content).toMatch(/x\n\[4\d{3} more characters\]/);
});

test('with pages "json", a notebook is its JSON without outputs', async () => {
  const fileSystem = await stored(written(notebook('A'.repeat(1_000))));
  const { content, files } = await runTool(readFile, { path: PATH, pages: 'json' }, fileSystem);
  expect(content).toContain('    "df.plot()"');
  expect(content).toContain('[The outputs of 1 cell are left out.');
  expect(files ?? []).toEqual([]);
});

describe('an edit of a notebook', () => {
  const edit = (fileSystem: MemoryFileSystem, find: string, replace: string, replaceAll = false) =>
    runTool(editFile, { path: PATH, find, replace, replaceAll }, fileSystem);

  test('changes the source of a cell as it was shown, and no other byte', async () => {
    const before = written(notebook('A'.repeat(2_000_000))).replace('"execution_count": 1', '"execution_count": 1.0');
    const fileSystem = await stored(before);
    await edit(fileSystem, 'import pandas as pd\ndf.plot()', 'import polars as pl\n\ndf.head("a\\n")');
    expect(await textIn(fileSystem)).toBe(
      before.replace(
        '"import pandas as pd\\n",\n    "df.plot()"',
        '"import polars as pl\\n",\n    "\\n",\n    "df.head(\\"a\\\\n\\")"',
      ),
    );
  });

  test('changes the JSON if no cell has the text, and keeps it valid', async () => {
    const fileSystem = await stored(written(notebook('A')));
    await edit(fileSystem, '"df.plot()"', '"df.head()"');
    await edit(fileSystem, '"name": "python3"', '"name": "julia"');
    const { cells, metadata } = JSON.parse(await textIn(fileSystem));
    expect(cells[1].source[1]).toBe('df.head()');
    expect(cells[1].outputs).toHaveLength(1);
    expect(metadata.kernelspec.name).toBe('julia');
    await expect(edit(fileSystem, '"name": "julia"', '"name": "julia')).rejects.toThrow('it would not be JSON');
    await expect(edit(fileSystem, 'not there', 'x')).rejects.toThrow('"find" is in no cell of the notebook');
  });

  test.each([
    ['quotes that a word processor wrote', 'x = “a”', 'x = "a"', "x = 'a\\n b'", "x = 'a\\n b'"],
    ['a path that looks like escapes', 'in — x', 'in - x', 'in - C:\\new\\table', 'in — C:\\new\\table'],
    ['lines that end with CRLF', 'a = 1\r\nb = 2\r\n', 'a = 1\nb = 2', 'a = 1\nc = 3', 'a = 1\r\nc = 3\r\n'],
  ])('writes the text itself, not JSON, for %s', async (_, source, find, replace, expected) => {
    const fileSystem = await stored(written({ cells: [{ cell_type: 'code', source, outputs: [] }] }));
    await edit(fileSystem, find, replace);
    expect(JSON.parse(await textIn(fileSystem)).cells[0].source).toBe(expected);
  });

  test.each(['bZ', 'image', '"image/png"', '"aGVsbG8bZ"', 'x.png', 'BBB', 'python', '"metadata": {'])(
    'never changes outputs, attachments, or a piece of the JSON: %s',
    async (find) => {
      const [markdown, code] = notebook('aGVsbG8bZ').cells;
      const before = written({
        cells: [{ ...markdown, attachments: { 'x.png': { 'image/png': 'bZ' } } }, code],
        metadata: { kernelspec: { name: 'python3' }, widgets: { state: 'BBB' } },
      });
      const fileSystem = await stored(before);
      await expect(edit(fileSystem, find, 'QQ', find !== '"metadata": {')).rejects.toThrow();
      expect(await textIn(fileSystem)).toBe(before);
    },
  );

  test('adds a cell by the JSON that was shown, and keeps the outputs of the others', async () => {
    const fileSystem = await stored(written(notebook('A'.repeat(1_000))).replaceAll('\n', '\r\n'));
    const cell = '  {\n   "cell_type": "markdown",';
    await edit(fileSystem, cell, `  {"cell_type": "raw", "source": "new"},\n${cell}`);
    const { cells } = JSON.parse(await textIn(fileSystem));
    expect(cells.map(({ cell_type }: { cell_type: string }) => cell_type)).toEqual(['raw', 'markdown', 'code']);
    expect(cells[2].outputs).toEqual(notebook('A'.repeat(1_000)).cells[1]?.outputs);
  });

  test('by a patch keeps it JSON', async () => {
    const before = written(notebook('A'));
    const fileSystem = await stored(before);
    const patch = '*** Begin Patch\n*** Update File: /a.ipynb\n@@\n-    "df.plot()"\n+    df.head()\n*** End Patch';
    await expect(runTool(applyPatch, { patch }, fileSystem)).rejects.toThrow('it would not be JSON');
    expect(await textIn(fileSystem)).toBe(before);
    await runTool(applyPatch, { patch: patch.replace('df.head()', '"df.head()"') }, fileSystem);
    expect(JSON.parse(await textIn(fileSystem)).cells[1].source[1]).toBe('df.head()');
  });

  test('of text in several cells says which ones, or changes all', async () => {
    const cells = ['x = 1', 'y = 2', 'x = 3'].map((source) => ({ cell_type: 'code', source, outputs: [] }));
    const fileSystem = await stored(JSON.stringify({ cells }));
    await expect(edit(fileSystem, 'x =', 'z =')).rejects.toThrow('"find" occurs in cells 1, 3.');
    await edit(fileSystem, 'x =', 'z =', true);
    expect(await textIn(fileSystem)).toBe(JSON.stringify({ cells }).replaceAll('x =', 'z ='));
  });

  test('is made by multi_edit, too', async () => {
    const fileSystem = await stored(written(notebook('A')));
    const edits = [
      { find: 'pandas as pd', replace: 'polars as pl' },
      { find: '# Sales', replace: '# Costs' },
    ];
    await runTool(multiEdit, { path: PATH, edits }, fileSystem);
    expect((await runTool(readFile, { path: PATH }, fileSystem)).content).toContain('# Costs');
  });

  test('is what a refused write asks for', async () => {
    const fileSystem = await stored(written(notebook('A')));
    await expect(runTool(writeFile, { path: PATH, content: '{}' }, fileSystem)).rejects.toThrow(
      'Not written. /a.ipynb is a notebook, whose cells are changed with edit_file.',
    );
  });
});

test.each([
  ['{"cells":', '{"cells":'],
  ['{"a":1}', '{"a":1}'],
])('a notebook that is none is shown as the text that it is: %s', async (text, shown) => {
  expect((await runTool(readFile, { path: PATH }, await stored(text))).content).toContain(shown);
});

test.each([
  ['no JSON', '{'],
  ['another JSON', '{"a":1}'],
  ['a notebook without outputs', written({ ...notebook(''), cells: [{ cell_type: 'code', source: [], outputs: [] }] })],
])('nothing is left out of %s', (_, text) => {
  expect(withoutOutputs(text)).toBeUndefined();
});

test('attachments of cells, and the state of widgets, are left out', () => {
  const cell = { cell_type: 'markdown', source: ['a'], attachments: { 'a.png': { 'image/png': 'A'.repeat(1_000) } } };
  const value = { cells: [cell], metadata: { widgets: { state: 'B'.repeat(1_000) }, kernelspec: { name: 'x' } } };
  const { text = '', cells } = withoutOutputs(written(value)) ?? {};
  expect(cells).toBe(1);
  expect(JSON.parse(text)).toEqual({
    cells: [{ ...cell, attachments: {} }],
    metadata: { kernelspec: { name: 'x' } },
  });
});

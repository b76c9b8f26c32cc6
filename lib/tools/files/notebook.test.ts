import { expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { runTool } from '../test/run-tool.ts';
import { editFile } from './edit-file.ts';
import { withoutOutputs } from './notebook.ts';
import { readFile } from './read-file.ts';

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

test('a notebook is read without outputs, however large they are, and its cells can be changed', async () => {
  const fileSystem = new MemoryFileSystem();
  const store = (text: string) =>
    fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile('/a.ipynb', new TextEncoder().encode(text)));
  await store(written(notebook('A'.repeat(2_000_000))));
  const { content, files } = await runTool(readFile, { path: '/a.ipynb' }, fileSystem);
  const shown = typeof content === 'string' ? content : '';
  expect(shown.length).toBeLessThan(1_000);
  expect(shown).toContain('    "df.plot()"');
  expect(shown).toContain('[The outputs of 1 cell are left out.');
  // A model that has not seen the outputs may not replace them.
  expect(files ?? []).toEqual([]);
  await store(written(notebook('A'.repeat(1_000))));
  await runTool(editFile, { path: '/a.ipynb', find: '"df.plot()"', replace: '"df.head()"' }, fileSystem);
  const after = JSON.parse(new TextDecoder().decode(await fileSystem.readFile('/a.ipynb')));
  expect(after.cells[1].source[1]).toBe('df.head()');
  expect(after.cells[1].outputs).toHaveLength(1);
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

import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { docxOf, packed, xlsxOf } from '#lib/documents/test/office-source.ts';
import { imageOf, pageOf, pageWith, streamOf, writing } from '#lib/documents/test/pdf-source.ts';
import { readDocument } from '#lib/documents/test/read-document.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { filesThrough } from '../browser/browser-js-eval.ts';
import type { Documents } from '../capabilities/documents.ts';
import type { ToolContent } from '../core/content.ts';
import type { ToolContext } from '../core/tool.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { runTool, testCapabilities } from '../test/run-tool.ts';
import { applyPatch } from './apply-patch.ts';
import { editFile } from './edit-file.ts';
import { readFile } from './read-file.ts';
import { PART_CHARACTERS } from './text-limit.ts';
import { writeFile } from './write-file.ts';

/** Reads documents in this thread, as the hosts' readers do in threads of their own. */
const documents: Documents = {
  open: (request) =>
    readDocument(request).catch((error: Error) => Promise.reject(new ToolFailure('failed', error.message))),
};

/** Returns the blocks of what `read_file` returns for a part of a document. */
async function blocksOf(path: string, pages: string): Promise<ToolContent> {
  const { signal: abortSignal } = new AbortController();
  const parsed = readFile.parse({ path, pages });
  if (!parsed.success) throw new Error('The input is valid.');
  const context = { ...testCapabilities(fileSystem, { documents }), abortSignal } as unknown as ToolContext;
  return (await readFile.execute(parsed.data, context)).content;
}

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(`lib/documents/test/fixtures/documents/${name}`));

/** The first bytes of a PNG image, as characters. */
const PNG = '\x89PNG\r\n\x1a\n';

let fileSystem: MemoryFileSystem;
beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await fileSystem.transaction({ type: 'person' }, async (tx) => {
    tx.writeFile('/report.pdf', pageOf(streamOf(writing('Hello PDF'))));
    tx.writeFile('/prices.xlsx', fixture('prices.xlsx'));
    tx.writeFile('/security.docx', fixture('security.docx'));
    tx.writeFile('/letter.rtf', new TextEncoder().encode('{\\rtf1 Dear all}'));
    tx.writeFile('/empty.docx', new Uint8Array());
    const rows = Array.from(
      { length: 9_000 },
      (_, row) => `<row r="${row + 1}"><c r="A${row + 1}"><v>${row}</v></c></row>`,
    );
    tx.writeFile('/long.xlsx', xlsxOf(rows.join('')));
  });
});

const read = (input: Record<string, unknown>) => runTool(readFile, input, fileSystem, { documents });

describe('read_file', () => {
  test('returns the text of a document with marks, and the model does not count as knowing the file', async () => {
    const { content, files } = await read({ path: '/report.pdf' });
    expect(content).toBe('## Page 1\n\nHello PDF\n[/report.pdf is a PDF of 1 page.]');
    expect(files ?? []).toEqual([]);
  });

  test('returns the pages that it is asked for', async () => {
    const { content } = await read({ path: '/prices.xlsx', pages: 'Notes & more' });
    expect(content).toBe(
      '## Sheet 2: Notes & more\n\nB3: A note ⏎ of two lines | | | far away\nB5: a \\| b\n[/prices.xlsx is an Excel workbook of 2 sheets.]',
    );
    await expect(read({ path: '/prices.xlsx', pages: '7' })).rejects.toThrow(
      '/prices.xlsx is an Excel workbook. There is no sheet "7": the document has 2 sheets: "Prices", "Notes & more".',
    );
  });

  test('returns a long document in parts, and says how to go on', async () => {
    let text = '';
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const { content } = await read({ path: '/long.xlsx', offset, limit: 5_000 });
      const [, part = '', next] =
        /^([\s\S]*?)\n\[Lines [^\]]*?(?: Continue with offset (\d+)\.)?\]/.exec(content) ?? [];
      expect(part.length).toBeLessThanOrEqual(PART_CHARACTERS);
      text += `${part}\n`;
      offset = next === undefined ? undefined : Number(next);
    }
    expect(text.match(/^A\d+: /gm)).toHaveLength(9_000);
  });

  test('returns an image inside a document as an image', async () => {
    await fileSystem.transaction({ type: 'person' }, async (tx) =>
      tx.writeFile(
        '/a.docx',
        packed({ 'word/media/image1.png': Uint8Array.from(PNG, (letter) => letter.charCodeAt(0)) }, docxOf('<w:p/>')),
      ),
    );
    expect(await blocksOf('/a.docx', 'image1.png')).toEqual([
      { type: 'text', text: '[The image image1.png in /a.docx.]' },
      { type: 'image', mediaType: 'image/png', data: btoa(PNG), alt: 'image1.png' },
    ]);
  });

  test('says what is missing in the picture of a page of a PDF', async () => {
    const bits = '/ColorSpace /DeviceGray /BitsPerComponent 1';
    const broken = streamOf('x', 0, '/Type /XObject /Subtype /Image /Width 8 /Height 8 /Filter /JPXDecode');
    const content = 'q 100 0 0 100 0 0 cm /I0 Do Q q 10 0 0 10 0 0 cm /I1 Do Q';
    const pdf = pageWith(content, [broken, imageOf(8, 1, bits, '50')]);
    await fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile('/scan.pdf', pdf));
    expect(await blocksOf('/scan.pdf', 'page-1.png')).toMatchObject([
      {
        type: 'text',
        text: expect.stringMatching(/^\[The image page-1\.png in \/scan\.pdf\.\]\n\[1 more of the page’s/),
      },
      { type: 'image', mediaType: 'image/png' },
    ]);
  });

  test('says what a document is that cannot be read, or not here', async () => {
    await expect(read({ path: '/empty.docx' })).rejects.toThrow('/empty.docx is a Word document. The file is empty');
    await expect(
      runTool(readFile, { path: '/report.pdf' }, fileSystem, { documents: undefined as never }),
    ).rejects.toThrow('/report.pdf is a PDF (');
  });
});

describe('a document is not destroyed', () => {
  test.each(['/report.pdf', '/security.docx'])('by an edit or a patch: %s', async (path) => {
    const before = await fileSystem.readFile(path);
    await expect(runTool(editFile, { path, find: 'Dear', replace: 'Hello' }, fileSystem)).rejects.toThrow(
      'cannot be changed as text. Its text can be read with read_file; write changes to another file.',
    );
    const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n-Dear\n+Hello\n*** End Patch`;
    await expect(runTool(applyPatch, { patch }, fileSystem)).rejects.toThrow('cannot be changed as text');
    expect(await fileSystem.readFile(path)).toEqual(before);
  });

  test.each(['/report.pdf', '/security.docx'])('by a write: %s', async (path) => {
    await expect(runTool(writeFile, { path, content: 'new' }, fileSystem)).rejects.toThrow(
      /^Not written\. .* is (?:a PDF|a Word document)\. Write to another path/,
    );
  });
});

describe('an RTF file', () => {
  test('is read as text or as its source, and its source can be changed', async () => {
    const { content } = await read({ path: '/letter.rtf' });
    expect(content).toMatch(
      /^Dear all\n\[\/letter\.rtf is an RTF document\.\]\n\[edit_file and write_file .* "source"/,
    );
    const source = await read({ path: '/letter.rtf', pages: 'source' });
    expect(source.content).toBe('{\\rtf1 Dear all}');
    expect(source.files).toHaveLength(1);
    await runTool(editFile, { path: '/letter.rtf', find: 'Dear', replace: '\\b Dear' }, fileSystem);
    expect(new TextDecoder().decode(await fileSystem.readFile('/letter.rtf'))).toBe('{\\rtf1 \\b Dear all}');
  });

  test('of more text than is shown at once is replaced once its source was read', async () => {
    const text = `{\\rtf1 ${'Dear all '.repeat(1_000)}}`;
    await fileSystem.transaction({ type: 'person' }, async (tx) =>
      tx.writeFile('/long.rtf', new TextEncoder().encode(text)),
    );
    await expect(runTool(writeFile, { path: '/long.rtf', content: 'x' }, fileSystem)).rejects.toThrow(
      'Read it with read_file and pages "source" first',
    );
  });
});

test('a text that begins like a document is edited as the text that it is', async () => {
  await fileSystem.transaction({ type: 'person' }, async (tx) =>
    tx.writeFile('/notes.txt', new TextEncoder().encode('%PDF-1.4 is old')),
  );
  expect((await read({ path: '/notes.txt' })).content).toBe('%PDF-1.4 is old');
  await runTool(editFile, { path: '/notes.txt', find: 'old', replace: 'common' }, fileSystem);
});

describe('code in the sandbox', () => {
  const files = filesThrough(async (toolName, input) => {
    const output = await runTool(readFile, input as Record<string, unknown>, fileSystem, { documents }).catch(
      (error: Error) => error,
    );
    return output instanceof Error
      ? { type: 'tool-error', toolCallId: '1', toolName, code: 'failed', message: output.message }
      : { type: 'tool-result', toolCallId: '1', toolName, output };
  });

  test('reads the source of notebooks and RTF files, and no documents', async () => {
    const notebook = JSON.stringify({ cells: [{ cell_type: 'code', source: 'a', outputs: [{ text: 'b' }] }] });
    await fileSystem.transaction({ type: 'person' }, async (tx) =>
      tx.writeFile('/a.ipynb', new TextEncoder().encode(notebook)),
    );
    expect(await files.read('/a.ipynb', () => undefined)).toBe(notebook);
    expect(await files.read('/letter.rtf', () => undefined)).toBe('{\\rtf1 Dear all}');
    await expect(files.read('/security.docx', () => undefined)).rejects.toThrow(/^\/security\.docx is not text \(/);
  });
});

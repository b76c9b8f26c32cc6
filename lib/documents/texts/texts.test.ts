import { describe, expect, test } from 'vitest';
import type { DocumentFormat } from '#lib/tools/documents/document-type.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { docxOf, odtOf } from '../test/office-source.ts';
import { readDocument } from '../test/read-document.ts';
import { markdownTable } from './text-writer.ts';

/** Numbered paragraphs, of more text than is read at once, and of less than is read twice. */
const PARAGRAPHS = Array.from({ length: 1_500 }, (_, index) => `${index} ${'x'.repeat(900)}`);

const ODT = () => odtOf(PARAGRAPHS.map((text) => `<text:p>${text}</text:p>`).join(''));
const DOCX = () => docxOf(PARAGRAPHS.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join(''));
const RTF = () => new TextEncoder().encode(`{\\rtf1 ${PARAGRAPHS.map((text) => `${text}\\par`).join('\n')}}`);

describe('a text that is too long to be read at once', () => {
  test.each<[DocumentFormat, () => Uint8Array]>([
    ['odt', ODT],
    ['docx', DOCX],
    ['rtf', RTF],
  ])('is read in pieces: %s', async (format, data) => {
    const first = await readDocument({ data: data(), format });
    expect(first.parts[0]?.text).toHaveLength(DOCUMENT_LIMITS.text);
    expect(first.notes[0]).toContain('read on with pages "2"');
    const second = await readDocument({ data: data(), format, pages: '2' });
    const text = `${first.parts[0]?.text}${second.parts[0]?.text}`;
    expect(text.split('\n\n')).toEqual(PARAGRAPHS);
    expect(second.notes.join()).not.toContain('read on');
    await expect(readDocument({ data: data(), format, pages: '3' })).rejects.toThrow(
      'There is no part 3: the document has 2.',
    );
  });
});

test.each(['3', '3-7'])('a text without pages says so if some are asked for: %s', async (pages) => {
  const { parts, notes } = await readDocument({ data: odtOf('<text:p>all</text:p>'), format: 'odt', pages });
  expect(parts[0]?.text).toBe('all');
  expect(notes).toEqual(['The document is one text, without pages that could be asked for.']);
});

test('a table may have more rows than a function has arguments', () => {
  expect(markdownTable(Array.from({ length: 150_000 }, () => ['a', 'b'])).slice(0, 31)).toBe(
    '| a | b |\n| --- | --- |\n| a | b',
  );
});

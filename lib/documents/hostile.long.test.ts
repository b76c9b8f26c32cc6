import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { startReader } from '#hosts/local/start-reader.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { textOfDocument } from '#lib/tools/documents/document-text.ts';
import { documentFormat } from '#lib/tools/documents/document-type.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { notebookText } from '#lib/tools/files/notebook-text.ts';
import { DocumentReader } from './document-reader.ts';
import { hostileDocuments, RAN, rows } from './test/hostile-documents.ts';
import { xlsxOf } from './test/office-source.ts';

vi.setConfig({ testTimeout: 90_000 });

const reader = new DocumentReader(startReader);

/** Reads a document in a thread of its own, and returns what a model gets: its text and its notes, or the error. */
async function open(name: string, data: Uint8Array, pages?: string): Promise<string> {
  if (name.endsWith('.ipynb')) return textOfDocument(notebookText(new TextDecoder().decode(data))?.parts ?? []);
  const format = documentFormat(data, name);
  if (format === undefined) return 'no document';
  try {
    const { parts, notes } = await reader.open({ data, format, pages }, { abortSignal: new AbortController().signal });
    return [textOfDocument(parts), ...notes].join('\n');
  } catch (error) {
    return `Error: ${messageOf(error)}`;
  }
}

const requests: string[] = [];
const elsewhere = createServer(({ url = '' }, response) => {
  requests.push(url);
  response.end();
});
await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
afterAll(() => elsewhere.close());

const MILLION = 1_048_576;

describe('a document', () => {
  test.each(hostileDocuments(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`))(
    '$name',
    async ({ file, data, expected }) => {
      const text = await open(file, data());
      expect(text).toMatch(expected);
      expect(text).not.toContain('root:');
      expect(globalThis).not.toHaveProperty(RAN);
      expect(requests).toEqual([]);
    },
  );

  test('of a million rows is read as far as a model can use it, and on from any row', async () => {
    const data = xlsxOf(rows(MILLION));
    const text = await open('a.xlsx', data);
    expect(text).toContain('A1: 0\nA2: 1\n');
    const [, cut = '', from = ''] = /was cut after row (\d+); read on with pages "Sheet1!(\d+)-"/.exec(text) ?? [];
    expect(Number(from)).toBe(Number(cut) + 1);
    expect(text.length).toBeLessThan(DOCUMENT_LIMITS.text + 1_000);
    expect(await open('a.xlsx', data, `Sheet1!${MILLION - 1}-`)).toContain(
      `A${MILLION - 1}: ${MILLION - 2}\nA${MILLION}: ${MILLION - 1}`,
    );
  });
});

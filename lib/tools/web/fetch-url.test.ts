import { expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import type { WebAccess, WebAnswer, WebDocument } from '../capabilities/web.ts';
import { rawAnswerSchema } from '../capabilities/web.ts';
import { runTool } from '../test/run-tool.ts';
import { fetchUrl } from './fetch-url.ts';
import { WEB_LIMITS } from './limits.ts';

const URL_ = 'https://example.org/page';
const bytes = (text: string) => new TextEncoder().encode(text);

/** A web that answers the same to everything. */
const webOf = (answer: Partial<WebAnswer>, read: WebAccess['read'] = async () => ({ text: 'READ', notes: [] })) => ({
  request: async () => ({ url: URL_, status: 200, headers: {}, body: new Uint8Array(), ...answer }),
  read,
});

const text = { 'content-type': 'text/plain' };

const run = (input: object, web: WebAccess, toolCallId = 'call') =>
  runTool(fetchUrl, { url: URL_, ...input }, new MemoryFileSystem(), { web, toolCallId });

test('a long text is given in parts, and each says how to go on', async () => {
  const body = bytes(`${'a'.repeat(WEB_LIMITS.shownText)}${'b'.repeat(100)}`);
  const web = webOf({ headers: text, body });
  const first = await run({}, web);
  expect(first.content).toContain(`[100 more characters follow; to continue, set “from” to ${WEB_LIMITS.shownText}.]`);
  expect(first.content).not.toContain('b');
  const rest = await run({ from: WEB_LIMITS.shownText }, web);
  expect(rest.content).toContain(`\n${'b'.repeat(100)}\n[This begins at character ${WEB_LIMITS.shownText} of`);
  expect(rest.content).not.toContain('more characters');
});

test('the source of a page is given as it is, where that is asked for', async () => {
  const web = webOf({ headers: { 'content-type': 'text/html' }, body: bytes('<b>bold</b>') });
  expect((await run({}, web)).content).toBe('[200 text/html from https://example.org/page]\nREAD');
  expect((await run({ as: 'raw' }, web)).content).toBe('[200 text/html from https://example.org/page]\n<b>bold</b>');
});

test('only the status and the headers are asked for with “head”', async () => {
  const methods: string[] = [];
  const web: WebAccess = {
    ...webOf({}),
    async request({ method }) {
      methods.push(method);
      return { url: URL_, status: 204, headers: { etag: 'x' }, body: new Uint8Array() };
    },
  };
  expect((await run({ as: 'head' }, web)).content).toBe('[204 of unknown type from https://example.org/page]\netag: x');
  expect(methods).toEqual(['HEAD']);
});

test('code gets the bytes of any answer, errors and redirects included; a model does not', async () => {
  const body = new Uint8Array([0, 255, 7]);
  const given = { headers: { 'content-type': 'application/zip' }, body, status: 500, cut: 'size' } as const;
  const { data } = await run({ as: 'raw' }, webOf(given), 'call/1');
  expect(rawAnswerSchema.parse(data)).toEqual({
    url: URL_,
    status: 500,
    headers: given.headers,
    body: 'AP8H',
    isCut: true,
  });
  await expect(run({ as: 'raw' }, webOf({ ...given, status: 200 }))).rejects.toThrow(
    'The response is not text (3 bytes)',
  );
  expect((await run({ as: 'raw' }, webOf({ headers: text, body: bytes('x') }))).data).toBeUndefined();
});

test('an error of a server has its status and the beginning of what it says', async () => {
  const body = bytes('x'.repeat(WEB_LIMITS.shownError + 1));
  await expect(run({}, webOf({ headers: text, body, status: 503 }))).rejects.toThrow(
    `https://example.org/page answered with status 503. It says:\n${'x'.repeat(WEB_LIMITS.shownError)}`,
  );
});

test('a part of a PDF that cannot be read says that it is only a part', async () => {
  const web = webOf({ body: bytes('%PDF-1.7 half'), cut: 'size' }, async () => {
    throw new (await import('../core/tool-call.ts')).ToolFailure('failed', 'It is damaged.');
  });
  await expect(run({}, web)).rejects.toThrow(
    'It is damaged. Only a part of the PDF was read, because it has more than 1000000 bytes.',
  );
});

test('a text that only begins like a PDF stays text', async () => {
  const documents: WebDocument[] = [];
  const web = webOf({ headers: text, body: bytes('%PDF-1.7 is how PDFs begin.') }, async (document) => {
    documents.push(document);
    return { text: '', notes: [] };
  });
  expect((await run({}, web)).content).toContain('is how PDFs begin');
  expect(documents).toEqual([]);
});

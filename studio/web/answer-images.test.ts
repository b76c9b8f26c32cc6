import { expect, test, vi } from 'vitest';
import type { WebAnswer } from '#lib/tools/capabilities/web.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { ANSWER_IMAGE_LIMITS } from '#lib/tools/web/limits.ts';
import { AnswerImages } from './answer-images.ts';

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);

/** Images from servers that answer like this, with what was recorded. */
function imagesOf(answer: (url: string) => Partial<WebAnswer>) {
  const request = vi.fn(async ({ url }: { url: string }) => ({
    url,
    status: 200,
    headers: {},
    body: new Uint8Array(),
    ...answer(url),
  }));
  const allowed = vi.fn();
  const images = new AnswerImages(
    { of: () => ({ allowed, denied: vi.fn(), sent: vi.fn() }), sent: vi.fn() },
    { request },
  );
  const load = (url: string) =>
    images.load({ url, threadId: 't', decision: 'asked', abortSignal: new AbortController().signal });
  return { load, request, allowed };
}

test('an image is loaded once, and its request recorded with the decision', async () => {
  const { load, request, allowed } = imagesOf(() => ({ body: PNG }));
  for (let round = 0; round < 2; round++) {
    const image = await load('https://a.example/x');
    expect(image.type === 'image' && image.blob.type).toBe('image/png');
  }
  expect(request).toHaveBeenCalledTimes(1);
  expect(allowed).toHaveBeenCalledWith(
    { toolCallId: request.mock.calls[0]?.[0] && expect.any(String), toolName: 'an image in an answer' },
    'asked',
  );
});

test('an image that is shown many times is loaded once, and those of a host one after the other', async () => {
  let open = 0;
  let most = 0;
  const { load, request } = imagesOf(() => ({ body: PNG }));
  request.mockImplementation(async ({ url }) => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 1));
    open--;
    return { url, status: 200, headers: {}, body: PNG };
  });
  const urls = Array.from({ length: 30 }, (_, index) => `https://a.example/${index % 10}`);
  const images = await Promise.all(urls.map(load));
  expect(images.every(({ type }) => type === 'image')).toBe(true);
  expect([request.mock.calls.length, most]).toEqual([10, 1]);
});

test.each([
  ['image/svg+xml; charset=utf-8', 'image/svg+xml'],
  ['image/avif', 'image/avif'],
  ['text/html', undefined],
  ['image/made-up', undefined],
])('what cannot be told by its first bytes and is sent as %s is %s', async (sent, type) => {
  const { load } = imagesOf(() => ({ headers: { 'content-type': sent }, body: new TextEncoder().encode('<svg/>') }));
  const image = await load('https://a.example/x');
  expect(image.type === 'image' ? image.blob.type : image).toEqual(type ?? { type: 'failed', reason: 'no-image' });
});

test('an image that is elsewhere, missing, or too large is told', async () => {
  const { load } = imagesOf((url) => {
    if (url.endsWith('moved')) return { status: 302, redirectsTo: 'https://b.example/x' };
    if (url.endsWith('missing')) return { status: 404, body: PNG };
    if (url.endsWith('large')) return { body: PNG, cut: 'size' };
    if (url.endsWith('half')) return { body: PNG, cut: 'broken' };
    throw new ToolFailure('failed', 'Not sent. The studio never calls it.');
  });
  expect(await load('https://a.example/moved')).toEqual({ type: 'moved', url: 'https://b.example/x' });
  expect(await load('https://a.example/missing')).toEqual({ type: 'failed', reason: { status: 404 } });
  expect(await load('https://a.example/large')).toEqual({ type: 'failed', reason: 'too-large' });
  expect(await load('https://a.example/half')).toEqual({ type: 'failed', reason: 'cut' });
  expect(await load('https://a.example/refused')).toEqual({
    type: 'failed',
    reason: { message: 'Not sent. The studio never calls it.' },
  });
});

test('of many images, the ones that were used last are kept', async () => {
  const body = new Uint8Array(ANSWER_IMAGE_LIMITS.keptBytes / 2 - 1);
  body.set(PNG);
  const { load, request } = imagesOf(() => ({ body }));
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await load(`https://a.example/${name}`);
  expect(request.mock.calls.map(([{ url }]) => url.at(-1))).toEqual(['a', 'b', 'c', 'b']);
});

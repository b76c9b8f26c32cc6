import { expect, test } from 'vitest';
import { MCP_LIMITS } from './limits.ts';
import { outcomeOf } from './result.ts';

test('blocks keep their meaning', () => {
  expect(
    outcomeOf({
      content: [
        { type: 'text', text: 'Here.' },
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'resource_link', uri: 'file:///a', name: 'a', mimeType: 'text/plain', description: 'A file.' },
        { type: 'resource', resource: { uri: 'x://b', mimeType: 'text/plain', text: 'b' } },
        { type: 'resource', resource: { uri: 'x://c', mimeType: 'image/png', blob: 'BBBB' } },
        { type: 'resource', resource: { uri: 'x://d', mimeType: 'application/zip', blob: 'CCCC' } },
        { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
      ],
    }),
  ).toEqual({
    type: 'output',
    content: [
      { type: 'text', text: 'Here.' },
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      { type: 'resource', uri: 'file:///a', name: 'a', mediaType: 'text/plain', description: 'A file.' },
      { type: 'resource', uri: 'x://b', mediaType: 'text/plain' },
      { type: 'text', text: 'b' },
      { type: 'resource', uri: 'x://c', mediaType: 'image/png' },
      { type: 'image', mediaType: 'image/png', data: 'BBBB' },
      { type: 'resource', uri: 'x://d', mediaType: 'application/zip' },
      { type: 'text', text: '[Audio, audio/wav: not shown]' },
    ],
  });
});

test('a structured result without text is shown as it is', () => {
  expect(outcomeOf({ content: [], structuredContent: { a: 1 } })).toEqual({
    type: 'output',
    content: [{ type: 'json', value: { a: 1 } }],
    data: { a: 1 },
  });
});

test('an error without a text still says something', () => {
  expect(outcomeOf({ content: [], isError: true })).toEqual({
    type: 'failure',
    code: 'failed',
    message: 'The server gave no reason.',
  });
});

test('images that are none are not passed on', () => {
  for (const image of [
    { type: 'image' as const, mimeType: 'image/svg+xml"><script>', data: 'AAAA' },
    { type: 'image' as const, mimeType: 'image/png', data: 'javascript:alert(1)' },
  ])
    expect(outcomeOf({ content: [image] })).toMatchObject({ content: [{ type: 'text' }] });
});

test('what is too large is cut, and says so', () => {
  const long = 'x'.repeat(MCP_LIMITS.resultText);
  const cut = outcomeOf({
    content: [
      { type: 'text', text: 'Begin ' },
      { type: 'text', text: long },
      { type: 'text', text: 'never seen' },
    ],
  });
  expect(cut).toMatchObject({
    content: [{ text: 'Begin ' }, { text: long.slice(6) }, { text: expect.stringMatching(/^\[The result was cut/) }],
  });
  const image = { type: 'image' as const, mimeType: 'image/png', data: 'A'.repeat(MCP_LIMITS.resultImages / 2) };
  expect(outcomeOf({ content: [image, image, image] })).toMatchObject({
    content: [{ type: 'image' }, { type: 'image' }, { type: 'text', text: expect.stringContaining('left out') }],
  });
  const many = Array.from({ length: MCP_LIMITS.resultBlocks + 5 }, () => ({ type: 'text' as const, text: 'x' }));
  expect(outcomeOf({ content: many })).toMatchObject({
    content: { length: MCP_LIMITS.resultBlocks + 1 },
  });
  expect(outcomeOf({ content: [], structuredContent: { text: long + long } })).toMatchObject({ type: 'failure' });
});

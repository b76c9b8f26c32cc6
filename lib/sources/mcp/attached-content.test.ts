import { expect, test } from 'vitest';
import { promptContent, resourceContent } from './attached-content.ts';
import { MCP_LIMITS } from './limits.ts';

const text = (value: string, mimeType = 'text/plain') => ({ uri: 'test://a', mimeType, text: value });
const said = (value: string, role: 'user' | 'assistant' = 'user') => ({
  role,
  content: { type: 'text' as const, text: value },
});

test('texts and images of a resource become files, under its addresses', () => {
  const contents = [
    text('# A', 'text/markdown'),
    { uri: 'test://b', text: '<script>' },
    { uri: 'test://c', mimeType: 'text/html"><x', text: 'x' },
    { uri: 'test://d', mimeType: 'image/png', blob: 'iVBORw0=' },
  ];
  expect(resourceContent({ contents })).toEqual({
    text: '',
    files: [
      { type: 'text', name: 'test://a', mediaType: 'text/markdown', text: '# A' },
      { type: 'text', name: 'test://b', mediaType: 'text/plain', text: '<script>' },
      { type: 'text', name: 'test://c', mediaType: 'text/plain', text: 'x' },
      { type: 'image', name: 'test://d', mediaType: 'image/png', data: 'iVBORw0=' },
    ],
    left: [],
  });
});

test.each([
  ['a program', { uri: 'test://a', mimeType: 'application/octet-stream', blob: 'AAAA' }],
  ['an SVG', { uri: 'test://a', mimeType: 'image/svg+xml', blob: 'AAAA' }],
  ['an image that ends too early', { uri: 'test://a', mimeType: 'image/png', blob: 'AAAAA' }],
  ['an image that is not base64', { uri: 'test://a', mimeType: 'image/png', blob: '<svg onload=alert(1)>' }],
])('%s is left out, and that is said', (_, part) => {
  expect(resourceContent({ contents: [part, text('A')] })).toMatchObject({
    files: [{ text: 'A' }],
    left: ['It has parts that are neither text nor an image.'],
  });
});

test('the largest image is attached', () => {
  const part = { uri: 'test://a', mimeType: 'image/png', blob: 'A'.repeat(MCP_LIMITS.attached) };
  expect(resourceContent({ contents: [part] }).files).toHaveLength(1);
});

test.each([
  ['characters', [text('x'.repeat(MCP_LIMITS.attached)), text('A')]],
  ['parts', Array.from({ length: MCP_LIMITS.attachedParts + 1 }, () => text('A'))],
])('too many %s are left out, and that is said', (_, contents) => {
  const { files, left } = resourceContent({ contents });
  expect(files).toHaveLength(contents.length - 1);
  expect(left).toEqual([expect.stringContaining('too large')]);
});

test('the messages of a prompt become one text, and its resources and images files', () => {
  const messages = [
    said('Review this.'),
    { role: 'user' as const, content: { type: 'resource' as const, resource: text('A') } },
    { role: 'user' as const, content: { type: 'image' as const, mimeType: 'image/png', data: 'iVBORw0=' } },
    { role: 'user' as const, content: { type: 'resource_link' as const, uri: 'test://b', name: 'B' } },
    { role: 'user' as const, content: { type: 'audio' as const, mimeType: 'audio/wav', data: 'AAAA' } },
  ];
  expect(promptContent({ messages })).toEqual({
    text: 'Review this.\n\n[B] test://b',
    files: [expect.objectContaining({ text: 'A' }), expect.objectContaining({ type: 'image' })],
    left: [expect.stringContaining('cannot be put')],
  });
});

test('a prompt with several roles says whose each message is', () => {
  expect(promptContent({ messages: [said('Hi'), said('Hello', 'assistant')] }).text).toBe(
    'user: Hi\n\nassistant: Hello',
  );
});

test('a text that the message box cannot take is left out, and that is said', () => {
  const { text: written, left } = promptContent({ messages: [said('A'), said('x'.repeat(MCP_LIMITS.promptText))] });
  expect(written).toBe('A');
  expect(left).toEqual([expect.stringContaining('too large')]);
});

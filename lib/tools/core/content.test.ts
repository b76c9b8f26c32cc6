import { expect, test } from 'vitest';
import { blocksOf, contentText, type ToolContent, toolContentSchema } from './content.ts';
import { resultText } from './tool-call.ts';

const CONTENT: ToolContent = [
  { type: 'text', text: 'Two pictures.' },
  { type: 'image', mediaType: 'image/png', data: 'AQID', alt: 'A cat' },
  { type: 'image', mediaType: 'image/jpeg', data: 'AQID' },
  { type: 'resource', uri: 'https://example.com/r', name: 'Report', mediaType: 'text/html', description: 'All of it.' },
  { type: 'resource', uri: 'file:///a' },
  { type: 'json', value: { lc: 1, type: 'constructor', id: ['x'] } },
];

test('every content has one text form, in which nothing is missing but the pictures', () => {
  expect(contentText(CONTENT)).toBe(
    [
      'Two pictures.',
      '[Image, image/png: A cat]',
      '[Image, image/jpeg]',
      '[Resource, Report, text/html: https://example.com/r]\nAll of it.',
      '[Resource: file:///a]',
      '{"lc":1,"type":"constructor","id":["x"]}',
    ].join('\n'),
  );
  expect(contentText('plain')).toBe('plain');
  expect(blocksOf('plain')).toEqual([{ type: 'text', text: 'plain' }]);
});

test('[R8] blocks survive storage, and what looks like something else stays data', () => {
  expect(toolContentSchema.parse(JSON.parse(JSON.stringify(CONTENT)))).toEqual(CONTENT);
});

test.each([
  ['an address as an image', [{ type: 'image', mediaType: 'image/png', data: 'https://example.com/x.png' }]],
  ['another type as an image', [{ type: 'image', mediaType: 'text/html', data: 'AQID' }]],
  ['an unknown block', [{ type: 'script', text: '' }]],
])('%s is refused', (_, content) => {
  expect(toolContentSchema.safeParse(content).success).toBe(false);
});

test('[R1] models read the same text of a result everywhere, and one of a call without a result', () => {
  const base = { toolCallId: 'c', toolName: 't' };
  expect(resultText({ ...base, type: 'tool-result', output: { content: CONTENT } })).toBe(contentText(CONTENT));
  expect(resultText({ ...base, type: 'tool-error', code: 'denied', message: 'No.' })).toBe('Error (denied): No.');
  expect(resultText(undefined)).toBe('Error (aborted): The call was not run.');
});

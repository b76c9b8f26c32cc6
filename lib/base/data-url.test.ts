import { expect, test } from 'vitest';
import { textOfDataUrl } from './data-url.ts';

test.each([
  ['data:text/plain;base64,eMO8Cg==', 'xü\n'],
  ['data:text/plain,a%20b%C3%BC', 'a bü'],
  ['data:text/plain,100% sure, %zz and %', '100% sure, %zz and %'],
  ['data:text/plain,%ff%fe', '\ufffd\ufffd'],
  ['data:,', ''],
])('%s is the text %j', (url, text) => {
  expect(textOfDataUrl(url)).toBe(text);
});

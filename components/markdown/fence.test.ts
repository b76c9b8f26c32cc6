import { expect, test } from 'vitest';
import { fencedCode } from './fence.ts';

test.each([
  ['```ts\na\n\nb\n```\n\n', 'a\n\nb', 'ts'],
  ['~~~\na\n~~~', 'a', undefined],
  ['````  js title="x"\n```\n````', '```', 'js'],
  ['```\na\n', 'a', undefined],
  ['```py', '', 'py'],
  ['```\n```', '', undefined],
  ['```\r\na\r\nb\r\n```\r\n', 'a\nb', undefined],
  ['  ```\n  a\n    b\n\tc\nd\n  ```', 'a\n  b\n  c\nd', undefined],
  ['```\na ```\n``', 'a ```\n``', undefined],
])('%j', (source, code, language) => {
  expect(fencedCode(source)).toEqual({ code, language });
});

import { expect, test } from 'vitest';
import { JsonView } from './turn-view.ts';

test('events have no control characters that a terminal would obey', () => {
  let written = '';
  const text = 'a\u001b[2Jb\u009b2Jc\u007fd\u00a0é';
  new JsonView((line) => {
    written += line;
  }).event({ type: 'notice', text });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(JSON.parse(written)).toEqual({ type: 'notice', text });
});

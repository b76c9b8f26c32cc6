import { expect, test } from 'vitest';
import { writtenLine } from './written-line.ts';

test.each([
  ['flowchart TD\n  A --> B\n  B -->', 3, 3],
  ['---\ntitle: x\n---\n%% a comment\nflowchart TD\n  A --> B\n  B -->', 3, 7],
  ['\n\n%%{init: {}}%%\nflowchart TD\n  %% a comment\n  A -->', 2, 6],
  ['%%{init: {\n"a": 1}}%%\nflowchart TD\n  A -->', 2, 4],
  ['flowchart TD\r\n%% x\r\n  A -->', 2, 3],
  ['pie', 9, 1],
])('in %j, line %i of what is parsed is line %i', (source, line, written) => {
  expect(writtenLine(source, line)).toBe(written);
});

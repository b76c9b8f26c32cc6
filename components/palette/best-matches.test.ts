import { expect, test } from 'vitest';
import { bestMatches, scoreOf } from './best-matches.ts';

test.each(['NFC', 'NFD'])('names of macOS are found, typed as %s', (form) => {
  const names = ['café.css', '한글 메모.txt', 'other.txt'].map((name) => name.normalize('NFD'));
  const found = (search: string) => bestMatches(names, search.normalize(form), (name) => name, 10);
  expect(found('café')).toEqual([names[0]]);
  expect(found('한글')).toEqual([names[1]]);
});

test.each([
  ['nt', 'New thread', true],
  ['kb', 'Show keyboard shortcuts', true],
  ['apptsx', '/src/components/App.tsx', true],
  ['exmd', 'Export this thread as Markdown', true],
  ['needle', 'Connect a model…', false],
])('“%s” finds “%s”: %s', (search, text, isFound) => {
  expect(scoreOf(text, search) > 0).toBe(isFound);
});

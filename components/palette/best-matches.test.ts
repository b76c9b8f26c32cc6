import { expect, test } from 'vitest';
import { bestMatches } from './best-matches.ts';

test.each(['NFC', 'NFD'])('names of macOS are found, typed as %s', (form) => {
  const names = ['café.css', '한글 메모.txt', 'other.txt'].map((name) => name.normalize('NFD'));
  const found = (search: string) => bestMatches(names, search.normalize(form), (name) => name, 10);
  expect(found('café')).toEqual([names[0]]);
  expect(found('한글')).toEqual([names[1]]);
});

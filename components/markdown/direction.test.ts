import { expect, test } from 'vitest';
import { directionOf } from './direction.ts';

test.each([
  ['שלום עולם', 'rtl'],
  ['مرحبا بالعالم', 'rtl'],
  ['React הוא ספרייה לבניית ממשקים', 'rtl'],
  ['`npm install` מתקין את החבילות', 'rtl'],
  ['https://example.com/a/long/path/to/a/page קישור', 'rtl'],
  ['The word שלום means peace', 'ltr'],
  ['שלום is a greeting in Hebrew', 'ltr'],
  ['Hello', 'ltr'],
  ['123', 'ltr'],
  ['', 'ltr'],
])('%j reads %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction);
});

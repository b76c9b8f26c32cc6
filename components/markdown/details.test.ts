import { expect, test } from 'vitest';
import { BlockSplitter } from './block-splitter.ts';
import { detailsOf } from './details.ts';

const typesOf = (text: string, isComplete = false): string[] =>
  new BlockSplitter()
    .update(text, isComplete)
    .groups.flat()
    .map(({ type }) => type);

test.each([
  [
    '<details>\n<summary>More</summary>\n\nText\n\n</details>\n',
    { summary: 'More', content: '\n\nText\n\n', rest: '', isOpen: false },
  ],
  ['<details open>\nText\n</details>', { summary: '', content: '\nText\n', rest: '', isOpen: true }],
  [
    '<DETAILS class="x"><SUMMARY>**A**</SUMMARY>b</DETAILS>',
    { summary: '**A**', content: 'b', rest: '', isOpen: false },
  ],
  ['<details>\n<summary>Mo', { summary: 'Mo', content: '', rest: '', isOpen: false }],
  ['<details>\n', { summary: '', content: '\n', rest: '', isOpen: false }],
  ['<details>\nx\n</details>, *then*\n', { summary: '', content: '\nx\n', rest: ', *then*', isOpen: false }],
  ['<details data-open="1">x', { summary: '', content: 'x', rest: '', isOpen: false }],
])('%j is read, also while it is being written', (source, details) => {
  expect(detailsOf(source)).toEqual(details);
});

test('an element is one block, with all blocks inside it, up to its own end', () => {
  expect(typesOf('Before\n<details>\n\n- a\n\n```html\n</details>\n```\n\n</details>\n\nAfter')).toEqual([
    'text',
    'details',
    'text',
  ]);
  expect(typesOf('<details>\n<details>\na\n</details>\nb\n</details>\n\nAfter')).toEqual(['details', 'text']);
  expect(typesOf('<details><summary>a</summary>b</details>\n\nAfter')).toEqual(['details', 'text']);
  expect(typesOf('<detail>\n\nAfter')).toEqual(['text', 'text']);
});

test('a tag within a sentence is text, and so is that of an element that never ends', () => {
  expect(typesOf('<details> is the box, and\n\nmore')).toEqual(['text', 'text']);
  const open = '<details>\n\nOne\n\n# Two\n\n- three';
  expect(typesOf(open)).toEqual(['details']);
  expect(typesOf(open, true)).toEqual(['text', 'text', 'text', 'list']);
});

test('an element ends with its tag, whatever follows in the line', () => {
  expect(typesOf('<details>\n\nx\n</details><br>\n\nAfter')).toEqual(['details', 'text']);
});

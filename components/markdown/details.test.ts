import { expect, test } from 'vitest';
import { BlockSplitter } from './block-splitter.ts';
import { detailsOf } from './details.ts';

const typesOf = (text: string): string[] =>
  new BlockSplitter()
    .update(text)
    .groups.flat()
    .map(({ type }) => type);

test.each([
  [
    '<details>\n<summary>More</summary>\n\nText\n\n</details>\n',
    { summary: 'More', content: '\n\nText\n\n', isOpen: false },
  ],
  ['<details open>\nText\n</details>', { summary: '', content: '\nText\n', isOpen: true }],
  ['<DETAILS class="x"><SUMMARY>**A**</SUMMARY>b</DETAILS>', { summary: '**A**', content: 'b', isOpen: false }],
  ['<details>\n<summary>Mo', { summary: 'Mo', content: '', isOpen: false }],
  ['<details>\n', { summary: '', content: '\n', isOpen: false }],
  ['<details data-open="1">x', { summary: '', content: 'x', isOpen: false }],
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

test('an element that never ends contains the rest of the text', () => {
  expect(typesOf('<details>\n\nOne\n\n# Two\n\n- three')).toEqual(['details']);
});

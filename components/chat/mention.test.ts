import { describe, expect, test } from 'vitest';
import { mentionOf, writtenCommand, writtenMention } from './mention.ts';

describe('mentionOf', () => {
  test.each([
    ['/src/App.tsx', false, '@/src/App.tsx'],
    ['/src', true, '@/src/'],
    ['/My notes.md', false, '@"/My notes.md"'],
    ['/say "hi".md', false, '@"/say \\"hi\\".md"'],
  ])('%s', (path, isFolder, expected) => expect(mentionOf(path, isFolder)).toBe(expected));
});

describe('writtenMention', () => {
  test.each([
    ['@', 1, { query: '', offset: 0, endOffset: 1 }],
    ['see @src/A', 10, { query: 'src/A', offset: 4, endOffset: 10 }],
    ['see @src and more', 8, { query: 'src', offset: 4, endOffset: 8 }],
    ['line\n@a', 7, { query: 'a', offset: 5, endOffset: 7 }],
    ['me@example.com', 14, null],
    ['see @src and', 12, null],
    ['see', 3, null],
  ])('%j at %i', (text, cursor, expected) => expect(writtenMention(text, cursor)).toEqual(expected));
});

describe('writtenCommand', () => {
  test.each([
    ['/', 1, { query: '', offset: 0, endOffset: 1 }],
    ['/comp', 5, { query: 'comp', offset: 0, endOffset: 5 }],
    ['/comp', 3, { query: 'co', offset: 0, endOffset: 5 }],
    ['/weather:get_it', 15, { query: 'weather:get_it', offset: 0, endOffset: 15 }],
    ['/设置', 3, { query: '设置', offset: 0, endOffset: 3 }],
    ['/src/App.tsx', 12, null],
    ['/new thread', 11, null],
    ['say /new', 8, null],
    ['/comp', 0, null],
  ])('%j at %i', (text, cursor, expected) => expect(writtenCommand(text, cursor)).toEqual(expected));
});

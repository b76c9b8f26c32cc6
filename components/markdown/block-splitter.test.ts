import { describe, expect, test, vi } from 'vitest';
import type { Block } from './block.ts';
import { BlockScanner } from './block-scanner.ts';
import { BlockSplitter } from './block-splitter.ts';
import { LINES, randomText, seeded } from './test/samples.ts';

const SEEDS = 500;

const SAMPLES = [...LINES, '[a]: /x', '[b]: <y> "z"', 'See [a] and [b].', '[^n]: note', 'a\r', '\u00e9\u{1f600}'];

const blocksOf = (text: string): Block[] => new BlockSplitter().update(text).groups.flat();
const sourcesOf = (text: string): string[] => blocksOf(text).map(sourceOf);
const sourceOf = (block: Block): string =>
  'parts' in block ? block.parts.map(({ source }) => source).join('') : block.source;

test('text that grows in random pieces gives the same blocks as the whole text', () => {
  for (let seed = 0; seed < SEEDS; seed++) {
    const text = randomText(seed, SAMPLES);
    const below = seeded(seed);
    const splitter = new BlockSplitter();
    for (let at = 0; at < text.length; ) {
      at = Math.min(text.length, at + 1 + below(20));
      const part = text.slice(0, at);
      expect(splitter.update(part), JSON.stringify(part)).toEqual(new BlockSplitter().update(part));
    }
  }
});

test('nothing of the text is lost, apart from blank lines at its beginning', () => {
  for (let seed = 0; seed < SEEDS; seed++) {
    const text = randomText(seed, SAMPLES);
    if (blocksOf(text).some(({ type }) => type === 'table')) continue;
    expect(sourcesOf(text).join('')).toBe(text.replace(/^(?:[ \t]*\r?\n)*/, ''));
  }
});

test('a text that does not continue the last one is read from its beginning', () => {
  const splitter = new BlockSplitter();
  splitter.update('# One\n\n[a]: /x\n\n```\ncode');
  expect(splitter.update('# Two\n\ntext')).toEqual(new BlockSplitter().update('# Two\n\ntext'));
  expect(splitter.update('# Two')).toEqual(new BlockSplitter().update('# Two'));
});

test('finished blocks and full groups stay the same objects', () => {
  const splitter = new BlockSplitter();
  const text = 'A paragraph.\n\n'.repeat(100);
  const before = splitter.update(text);
  const after = splitter.update(`${text}More.\n\nAnd more`);
  expect(after.groups.length).toBeGreaterThan(2);
  expect(after.groups[0]).toBe(before.groups[0]);
  expect(after.references).toBe(before.references);
  const old = before.groups.flat().slice(0, -1);
  for (const [index, block] of after.groups.flat().slice(0, old.length).entries()) expect(block).toBe(old[index]);
});

test('the parts of a growing list and of a growing table stay the same objects', () => {
  for (const [head, row] of [
    ['', '- item\n'],
    ['| a |\n|---|\n', '| 1 |\n'],
  ] as const) {
    const splitter = new BlockSplitter();
    const text = head + row.repeat(500);
    const [before] = splitter.update(text).groups.flat();
    const [after] = splitter.update(text + row).groups.flat();
    if (before === undefined || after === undefined || !('parts' in before && 'parts' in after)) throw new Error();
    expect(before.parts.length).toBeGreaterThan(5);
    for (const [index, part] of before.parts.slice(0, -1).entries()) expect(after.parts[index]).toBe(part);
  }
});

test('a chunk costs two lines at most, however long the text is', () => {
  const lines = vi.spyOn(BlockScanner.prototype, 'line');
  const splitter = new BlockSplitter();
  let text = '- item\n\n```\ncode\n```\n\n| a |\n|---|\n| 1 |\n\n'.repeat(500);
  splitter.update(text);
  lines.mockClear();
  for (const chunk of ['- an', ' item', '\n', '```js', '\ncode', '\n']) {
    text += chunk;
    splitter.update(text);
  }
  expect(lines.mock.calls.length).toBeLessThanOrEqual(2 * 6);
  lines.mockRestore();
});

test('in a complete text, a fenced document that would never end contains no fences', () => {
  const text = '```md\n```js\n```\nThat begins code.\n\n# Next';
  const splitter = new BlockSplitter();
  const sources = (isComplete: boolean) => splitter.update(text, isComplete).groups.flat().map(sourceOf);
  expect(sources(false)).toEqual([text]);
  expect(sources(true)).toEqual(['```md\n```js\n```\n', 'That begins code.\n\n', '# Next']);
  const whole = `${text}\n\`\`\``;
  expect(new BlockSplitter().update(whole, true).groups.flat().map(sourceOf)).toEqual([whole]);
});

test('in a complete text, examples without a language that would swallow the rest do not count', () => {
  const text = '```md\n```js\na\n```\n\n```\nb\n\n# Next';
  const splitter = new BlockSplitter();
  expect(splitter.update(text, true).groups.flat().map(sourceOf)).toEqual([
    '```md\n```js\na\n```\n\n```\n',
    'b\n\n',
    '# Next',
  ]);
});

describe('where blocks begin', () => {
  test.each([
    ['a setext heading is one with its text', 'a\n===\nb', ['a\n===\n', 'b']],
    ['a loose list is one block', '- a\n\n- b\n\n  c\n\nd', ['- a\n\n- b\n\n  c\n\n', 'd']],
    ['another marker begins another list', '- a\n* b', ['- a\n', '* b']],
    ['a longer fence contains shorter ones', '````\n```\n\n```\n````\na', ['````\n```\n\n```\n````\n', 'a']],
    [
      'a fenced document contains fences with a language',
      '```markdown\n# a\n```sh\nb\n```\nc\n~~~js\n```\n~~~\n```\nd',
      ['```markdown\n# a\n```sh\nb\n```\nc\n~~~js\n```\n~~~\n```\n', 'd'],
    ],
    [
      'a fenced document contains examples without a language',
      '```markdown\n# a\n\n```\nb\n```\nc:\n```\nd\n```\n## e\n```\nf\n\ng\n```\n```\n\nh',
      ['```markdown\n# a\n\n```\nb\n```\nc:\n```\nd\n```\n## e\n```\nf\n\ng\n```\n```\n\n', 'h'],
    ],
    ['a fenced document ends after text', '```md\na\n```\nb', ['```md\na\n```\n', 'b']],
    ['a fenced document ends before a blank line', '```md\na:\n```\n\nb', ['```md\na:\n```\n\n', 'b']],
    ['other code contains none', '```text\n```sh\n```\na', ['```text\n```sh\n```\n', 'a']],
    ['a fence that never closes goes on to the end', '```\na\n\n# b\n\n- c', ['```\na\n\n# b\n\n- c']],
    ['a fence in a list ends with the list', '- ```\n  a\n\nb\n\nc', ['- ```\n  a\n\n', 'b\n\n', 'c']],
    ['a fence after a quote is none of the quote’s', '> a\n```\n\n```\nb', ['> a\n', '```\n\n```\n', 'b']],
    ['a comment contains blank lines', '<!-- a\n\nb -->\nc', ['<!-- a\n\nb -->\n', 'c']],
    ['HTML ends with a blank line', '<div>\na\n\nb', ['<div>\na\n\n', 'b']],
    ['text continues a quote', '> a\nb\n\nc', ['> a\nb\n\n', 'c']],
    ['a footnote contains what is indented', '[^a]: b\n\n    c\n\nd', ['[^a]: b\n\n    c\n\n', 'd']],
    ['a table needs no blank line before it', 'a\n| b |\n|---|\n| c |', ['a\n', '| b |\n|---|\n| c |']],
  ])('%s', (_, text, sources) => {
    expect(sourcesOf(text)).toEqual(sources);
  });
});

test.each(['$$$ means expensive:', 'So: $$\nx = 1\n$$', '$$ is the PID:'])('a fence after %j stays whole', (before) => {
  const { groups } = new BlockSplitter().update(`${before}\n\`\`\`js\na()\n\nb()\n\`\`\`\n\nEnd`, true);
  const types = groups.flat().map(({ type }) => type);
  expect(types.slice(types.indexOf('fence'))).toEqual(['fence', 'text']);
});

test.each(['$$', '\\['])(
  'a formula after %s is one block, whatever its lines begin with, up to a blank line',
  (start) => {
    const end = start === '$$' ? '$$' : '\\]';
    expect(sourcesOf(`Before\n${start}\na\n- b\n# c\n${end}\n- item`)).toEqual([
      'Before\n',
      `${start}\na\n- b\n# c\n${end}\n`,
      '- item',
    ]);
    expect(sourcesOf(`${start}\na\n- b\n\n- item`)).toEqual([`${start}\na\n- b\n\n`, '- item']);
  },
);

import { expect, test } from 'vitest';
import { packLines, unpackLines } from './code-tokens.ts';
import { CodeHighlighter } from './highlighter.ts';

const CODE = '/* a comment\nof two lines */\nconst a: string = `text\nb`;\n\nif (a) {}\n';

const shownOf = (lines: readonly (readonly { content: string; htmlStyle?: unknown }[])[]) =>
  lines.map((line) => line.map(({ content, htmlStyle }) => [content, htmlStyle]));

test('code in pieces gets the colors of the whole code', async () => {
  const whole = shownOf((await CodeHighlighter.load('typescript')).highlight(CODE, false));
  expect(whole).toHaveLength(6);
  const inPieces = await CodeHighlighter.load('typescript');
  const lines = CODE.split(/(?<=\n)/).flatMap((line) => inPieces.highlight(line, false));
  expect(shownOf(lines)).toEqual(whole);
  expect(inPieces.length).toBe(CODE.length);
});

test('an incomplete line is highlighted only if asked for, and counts as new later', async () => {
  const highlighter = await CodeHighlighter.load('javascript');
  expect(highlighter.highlight('let a;\nlet', false)).toHaveLength(1);
  expect(highlighter.length).toBe(7);
  expect(highlighter.highlight('let b', true).map((line) => line.map(({ content }) => content).join(''))).toEqual([
    'let b',
  ]);
  expect(highlighter.length).toBe(7);
});

test('a very long line stays without colors', async () => {
  const [line] = (await CodeHighlighter.load('javascript')).highlight(`${'a + 1; '.repeat(100_000)}\n`, false);
  expect(line).toHaveLength(1);
});

test('tokens survive being packed: lengths, styles, and empty lines', async () => {
  const tokens = (await CodeHighlighter.load('typescript')).highlight(CODE, false);
  const packed = packLines(tokens);
  expect(packed.styles.length).toBeLessThan(12);
  const expected = tokens.map((line) =>
    line.map(({ content, htmlStyle }) => ({ length: content.length, style: htmlStyle })),
  );
  expect(unpackLines(packed)).toEqual(expected);
  expect(unpackLines(packed)[4]).toEqual([]);
});

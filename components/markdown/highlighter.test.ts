import { expect, test } from 'vitest';
import { packLines, unpackLines } from './code-tokens.ts';
import { CodeHighlighter } from './highlighter.ts';
import type { Language } from './languages.ts';

const CODE = '/* a comment\nof two lines */\nconst a: string = `text\nb`;\n\nif (a) {}\n';

const shownOf = (lines: readonly (readonly { content: string; color?: string }[])[]) =>
  lines.map((line) => line.map(({ content, color }) => [content, color]));

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
    line.map(({ content, color }) => ({ length: content.length, style: { color } })),
  );
  expect(unpackLines(packed)).toEqual(expected);
  expect(unpackLines(packed)[4]).toEqual([]);
});

/** The colors of some words in highlighted code. */
async function colorsOf(language: Language, code: string): Promise<Map<string, string>> {
  const lines = (await CodeHighlighter.load(language)).highlight(code, true);
  return new Map(
    lines.flat().map(({ content, color = '' }) => [content.trim(), color.replace(/^var\(--(?:syntax-)?|\)$/g, '')]),
  );
}

test.each<[Language, string, Record<string, string>]>([
  [
    'tsx',
    'const el: Foo = <div id="a">{run(1, /x/)}</div>; // why',
    { const: 'keyword', Foo: 'type', div: 'tag', id: 'attribute', run: 'function', '1': 'number', '// why': 'comment' },
  ],
  ['json', '{ "key": ["text", 1, true] }', { key: 'property', '"text"': 'string', '1': 'number', true: 'keyword' }],
  ['css', '.a { color: red; width: 2px }', { color: 'property', width: 'property', '2px': 'number' }],
  ['yaml', 'key: text # why', { key: 'property', text: 'string' }],
  ['diff', '-old\n+new', { '-old': 'removed', '+new': 'added' }],
])('%s code has the colors of the palette', async (language, code, expected) => {
  const colors = await colorsOf(language, code);
  expect(Object.fromEntries(Object.keys(expected).map((word) => [word, colors.get(word)]))).toEqual(expected);
});

test('bold and slanted text in Markdown keeps its font style', async () => {
  const tokens = (await CodeHighlighter.load('markdown')).highlight('# One\n\n**two** *three*', true);
  const styles = unpackLines(packLines(tokens))
    .flat()
    .map(({ style }) => `${style.fontWeight} ${style.fontStyle}`);
  expect(styles).toContain('bold undefined');
  expect(styles).toContain('undefined italic');
});

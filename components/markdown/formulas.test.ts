import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { expect, test } from 'vitest';
import { formulaNodes, markFormulas } from './formulas.ts';

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#x27;': "'" };

function htmlOf(markdown: string): string {
  const { source, formulas } = markFormulas(markdown);
  const remarkPlugins = [remarkGfm, [formulaNodes, formulas] as [typeof formulaNodes, typeof formulas]];
  return renderToStaticMarkup(createElement(ReactMarkdown, { remarkPlugins }, source));
}

const textOf = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity);

test.each([
  [String.raw`So \(\int_0^1 x\,dx\) is it.`, String.raw`\int_0^1 x\,dx`, false],
  [String.raw`\[ \int_0^1 x\,dx = \frac{1}{2} \]`, String.raw`\int_0^1 x\,dx = \frac{1}{2}`, true],
  [String.raw`It is $\int x\,dx$.`, String.raw`\int x\,dx`, false],
  [String.raw`So $$a\;b\!c \quad \{x_1, x_2\} \\ y^*$$ is it.`, String.raw`a\;b\!c \quad \{x_1, x_2\} \\ y^*`, false],
  ['$$\na = b\n$$', 'a = b', true],
  ['- $$\n  a_1\n  = b\n  $$', 'a_1\n  = b', true],
  ['> $$\n> a_1\n> = b\n> $$', 'a_1\n= b', true],
  ['$$\na_1\n- b\n+ c\n$$', 'a_1\n- b\n+ c', true],
  ['- $$\n  a_1\n  - b\n  $$', 'a_1\n  - b', true],
  [`${String.raw`\[`}\na_1\n- b\n${String.raw`\]`}`, 'a_1\n- b', true],
  ['$$E = mc^2$$', 'E = mc^2', true],
  ['so $$ E = mc^2 $$ holds', 'E = mc^2', false],
  [
    String.raw`\begin{align} a &= b \\ c &= d \end{align}`,
    String.raw`\begin{align} a &= b \\ c &= d \end{align}`,
    true,
  ],
  ['$$x_1\n> 0$$', 'x_1\n> 0', true],
  ['the $x$ axis', 'x', false],
  ['for $n$, $O(n)$', 'n', false],
  ['$f(x)$ and', 'f(x)', false],
  ['$x + y$', 'x + y', false],
  ['$2n+1$', '2n+1', false],
  ['$n!$', 'n!', false],
  ["$f'$", "f'", false],
  ['$a < b$', 'a < b', false],
  ['$(a, b)$', '(a, b)', false],
  ['（$x$）', 'x', false],
  [String.raw`\(n\)-th`, 'n', false],
  ['| $|x|$ | $a_1$ |', '|x|', false],
])('%s has a formula', (markdown, expected, isDisplay) => {
  expect(markFormulas(markdown).formulas[0]).toMatchObject({ tex: expected, isDisplay });
});

test.each([
  'It costs $5 to $10.',
  'It costs $5, or $10 with tax.',
  'US$5, R$ 20',
  'R$ 20 e R$ 30',
  'Set $HOME and then $PATH.',
  'export PATH=$GO_HOME/bin:$PATH',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are variables of a shell
  '${A_B}/${C_D}',
  '$A_B/$C_D',
  '$5/$10',
  '$5-$10',
  '$100k→$200k',
  '($5)…($6)',
  'about $/PR and $/h',
  'from $1,000.50 to $2,000',
  '5$ or 10$',
  'between $100$ and more',
  String.raw`\$a_1\$ stays`,
  String.raw`As in \[1\] and \(2\), see there.`,
  String.raw`\(see below\)`,
  'the pids $$ and $$',
  String.raw`$\$5 \times 3$`,
  String.raw`- \[x\] done`,
  String.raw`\[DRAFT\]`,
  'It costs $5; the regex `^\\d+$` matches it.',
  'Use $1 for the group of `^(\\d+)$`',
  '$$ makes the world go round. Visit [shop](https://a.test/a_b) **now**!',
  '- [Joe](https://a.test/?q=joe) ($$)\n- [Ann](https://a.test/?q=ann) ($$)',
  '$$ is the PID:\n```bash\necho $$\n```',
  '$$$ means expensive, $$ less_so',
  'Use $(SRC_DIR)/$(OBJ_DIR) in the Makefile',
  'Set $PROJECT_DIR$ and $MODULE_DIR$',
  'The keyword $Id$ and $Rev$',
  "jQuery: $('#a_b').append($('#c'))",
  '$a|$(cmd)',
  String.raw`f(a, \[b_opt\])`,
  String.raw`\[link_text\](https://a.test)`,
  String.raw`C:\[my_dir\]`,
  String.raw`s/\(foo_[a-z]*\)/\1/`,
  String.raw`Escape as \(\d+\) in sed`,
  '`$a_1$` and `\\(b\\)`',
  '```\n$a_1$\n```',
  '$ x_1 $',
  'a lone $, and $$',
])('%s has none', (markdown) => {
  expect(markFormulas(markdown)).toEqual({ source: markdown, formulas: [] });
});

test('nothing in a formula is taken for Markdown', () => {
  const html = htmlOf(String.raw`So $a_1 b_2$, $a_1*b_2*c$, and \[ <b>x</b> \text{ at } [a](b) = c \] are *it*.`);
  expect(html).toBe(
    '<p>So <var data-formula="0"></var>, <var data-formula="1"></var>, and <var data-formula="2"></var> are <em>it</em>.</p>',
  );
});

test('a pipe in a formula does not end a cell', () => {
  expect(htmlOf('| a | b |\n| - | - |\n| $|x|$ | 2 |').match(/<td>/g)).toHaveLength(2);
});

test.each([
  ['indented code', 'Text:\n\n    $a_1$\n', '$a_1$'],
  ['a fence in a list', '- a\n\n  ~~~\n  $a_1$\n  ~~~', '$a_1$'],
  ['an address', '[x](https://a.test/?q=($b_1$))', 'x'],
])('%s keeps what is written like a formula', (_, markdown, text) => {
  const html = htmlOf(markdown);
  expect(textOf(html)).toContain(text);
  expect(html).not.toContain('<var');
  expect(html).not.toMatch(/[\uE000-\uF8FF]/);
});

test.each([
  ['prices', 'It costs $5 or $10, *not* $7.', 'It costs $5 or $10, not $7.'],
  ['escaped brackets', String.raw`As in \[1\] and \(2\), *see* there.`, 'As in [1] and (2), see there.'],
  ['escaped emphasis', String.raw`\*not italic\*`, '*not italic*'],
  ['inline code', 'Write `$a\\,b_1$` *here*.', 'Write $a\\,b_1$ here.'],
  ['a shell variable', 'Set $HOME and *then* $PATH.', 'Set $HOME and then $PATH.'],
])('%s: Markdown is read as always', (_, markdown, text) => {
  expect(textOf(htmlOf(markdown)).trim()).toBe(text);
});

test('a text that has the characters of marks is left alone', () => {
  expect(markFormulas('\uE0F00\uE0F1 and $a_1$').formulas).toEqual([]);
});

test.each([
  '$',
  '\\[',
  '\\(',
  '$$',
  '`',
  '$a',
  '$ln ',
  '$ab ln @$ ',
  '``````` ',
  `${'`'.repeat(21)} `,
  `${'`'.repeat(30)}\n`,
])('a long text of %j stays as it is', (piece) => {
  const text = piece.repeat(20_000 / piece.length);
  expect(markFormulas(text).formulas).toEqual([]);
});

import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { expect, test } from 'vitest';
import { keepMathSource } from './math-source.ts';

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#x27;': "'" };

const htmlOf = (markdown: string): string =>
  renderToStaticMarkup(createElement(ReactMarkdown, { remarkPlugins: [remarkGfm] }, keepMathSource(markdown)));

const textOf = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity);

test.each([
  String.raw`\(\int_0^1 x\,dx\)`,
  String.raw`\[ \int_0^1 x\,dx = \frac{1}{2} \]`,
  String.raw`$\int x\,dx$`,
  String.raw`$$a\;b\!c \quad \{x_1, x_2\} \\ y^*$$`,
  '$a_1 b_2$ and $a_1*b_2*c$',
  String.raw`\[ <b>x</b> \text{ at } a = b \]`,
])('%s is shown as it was written', (math) => {
  const html = htmlOf(`So ${math} is it.`);
  expect(textOf(html)).toBe(`So ${math} is it.`);
  expect(html.match(/<\w+/g)).toEqual(['<p']);
});

test.each([
  ['prices', 'It costs $5 or $10, *not* $7.', 'It costs $5 or $10, not $7.'],
  ['escaped brackets', String.raw`As in \[1\] and \(2\), *see* there.`, 'As in [1] and (2), see there.'],
  ['escaped emphasis', String.raw`\*not italic\*`, '*not italic*'],
  ['inline code', 'Write `$a\\,b_1$` *here*.', 'Write $a\\,b_1$ here.'],
  ['a fence', '```\n$a\\,b_1$\n```', '$a\\,b_1$'],
  ['a shell variable', 'Set $HOME and *then* $PATH.', 'Set $HOME and then $PATH.'],
])('%s: Markdown is read as always', (_, markdown, text) => {
  expect(textOf(htmlOf(markdown)).trim()).toBe(text);
});

test.each(['$', '\\[', '\\(', '$$', '`', '``````` ', `${'`'.repeat(21)} `, `${'`'.repeat(30)}\n`])(
  'a long text of %j stays as it is',
  (piece) => {
    const text = piece.repeat(20_000 / piece.length);
    expect(keepMathSource(text)).toBe(text);
  },
);

import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { expect, test } from 'vitest';
import { alerts } from './alerts.ts';

const htmlOf = (markdown: string): string =>
  renderToStaticMarkup(createElement(ReactMarkdown, { remarkPlugins: [remarkGfm, alerts] }, markdown)).replace(
    /\n/g,
    '',
  );

test.each([
  ['> [!NOTE]\n> Read *this*.', '<aside data-alert="note"><p>Read <em>this</em>.</p></aside>'],
  ['> [!warning]  \n> Read this.', '<aside data-alert="warning"><p>Read this.</p></aside>'],
  ['> [!TIP]\n>\n> - one\n> - two', '<aside data-alert="tip"><ul><li>one</li><li>two</li></ul></aside>'],
  ['> [!CAUTION]', '<aside data-alert="caution"></aside>'],
  ['- > [!IMPORTANT]\n  > In a list.', '<ul><li><aside data-alert="important"><p>In a list.</p></aside></li></ul>'],
])('%j is an alert', (markdown, html) => {
  expect(htmlOf(markdown)).toBe(html);
});

test.each(['> [!NOTE] on the same line', '> [!OTHER]\n> text', '> text\n> [!NOTE]', '[!NOTE]\ntext'])(
  '%j is none',
  (markdown) => {
    expect(htmlOf(markdown)).not.toContain('<aside');
  },
);

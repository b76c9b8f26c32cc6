import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import { BlockSplitter } from './block-splitter.ts';
import { MARKDOWN_LIMITS } from './limits.ts';
import { Markdown } from './markdown.tsx';
import MarkdownView from './markdown-view.tsx';
import { ParsedMarkdown } from './parsed-markdown.tsx';
import { randomText } from './test/samples.ts';

const SEEDS = 600;

/** Matches indented code right after a quote, about which the parser itself is not consistent. */
const UNCLEAR = /^ *>.*\n(?: {4}|\t)/m;

/** HTML without white space, groups of blocks, unused classes, frames of code blocks, and actions and sorting of tables, in which the two ways may differ. */
const comparable = (html: string): string =>
  html
    .replace(/<\/div><div class="blocks [^"]*">/g, '')
    .replace(/^<div class="blocks [^"]*">(.*)<\/div>(?=$|<section)/s, '$1')
    .replace(/<div class="group\/code.*?<pre[^>]*>/gs, '<pre>')
    .replace(/<div class="group\/table[^>]*><div class="overflow-x-auto"/g, '<div class="my-block overflow-x-auto"')
    .replace(/<div data-unsearched="" class="absolute end-0 top-0 flex.*?<\/div><\/div>/gs, '')
    .replace(/ scope="col" aria-sort="none" class="group\/head[^"]*"/g, '')
    .replace(/<button[^>]*aria-label="Sort by this column".*?<\/button>/gs, '')
    .replace(/ tabindex="-1" data-block="[^"]*"/g, '')
    .replace(/ class="(?:contains-task-list|task-list-item)"/g, '')
    .replace(/\s+/g, '');

const render = (text: string): string =>
  renderToStaticMarkup(createElement(MarkdownView, { name: 'text', streaming: false, text }));
const asOne = (source: string): string =>
  renderToStaticMarkup(createElement(ParsedMarkdown, { source, references: '', shape: 'text' }));

const occurrences = (html: string, part: string): number => html.split(part).length - 1;

const textOf = (html: string): string => html.replace(/<[^>]*>/g, '');

test('blocks rendered one by one look like the text parsed as a whole', () => {
  const texts = Array.from({ length: SEEDS }, (_, seed) => randomText(seed)).filter((text) => !UNCLEAR.test(text));
  expect(texts.length).toBeGreaterThan(SEEDS / 2);
  for (const text of texts) expect(comparable(render(text)), text).toBe(comparable(asOne(text)));
}, 60_000);

test.each([
  ['访问 https://example.com/docs（中文说明）了解更多', 'https://example.com/docs'],
  ['见 https://example.com/guide，详见下文', 'https://example.com/guide'],
  ['地址是 https://example.com/a?b=1。', 'https://example.com/a?b=1'],
  ['「https://example.com/q」を開く', 'https://example.com/q'],
  ['see (https://example.com/w_(x)), then', 'https://example.com/w_(x)'],
  ['[显式](https://example.com/中文)', 'https://example.com/%E4%B8%AD%E6%96%87'],
  ['[https://example.com/，x](https://example.com/，x)', 'https://example.com/%EF%BC%8Cx'],
  ['www.example.com/x，然后', 'http://www.example.com/x'],
  ['https://zh.example.org/wiki/中文', 'https://zh.example.org/wiki/%E4%B8%AD%E6%96%87'],
])('the address in %j ends where the sentence goes on', (text, href) => {
  const html = render(text);
  expect(html).toContain(`href="${href.replaceAll('&', '&amp;')}"`);
  expect(occurrences(html, '<a ')).toBe(1);
  if (!text.startsWith('[')) expect(textOf(html).trim()).toBe(text);
});

test.each([
  ['**历经10年发展，**年', '<strong>历经10年发展，</strong>年'],
  ['* **text2：**text', '<strong>text2：</strong>text'],
  ['**不变。**源码', '<strong>不变。</strong>源码'],
  ['（**注意：**请先备份）', '（<strong>注意：</strong>请先备份）'],
  ['~~删除。~~之后', '<del>删除。</del>之后'],
  ['5~7U 保证金 × 100~200倍', '<p>5~7U 保证金 × 100~200倍</p>'],
  ['(~2000 lines) and (~5000 lines) ~', '<p>(~2000 lines) and (~5000 lines) ~</p>'],
  ['~~gone~~', '<del>gone</del>'],
])('%j has the marks that its author meant', (text, html) => {
  expect(render(text)).toContain(html);
});

test.each([
  ['H<sub>2</sub>O and x<sup>**2**</sup>', 'H<sub>2</sub>O and x<sup><strong>2</strong></sup>'],
  ['| a |\n|---|\n| open the file<br>then save it<br/> |', '<td>open the file<br/>\nthen save it<br/>\n</td>'],
  ['Press <kbd>Ctrl</kbd>+<kbd>S</kbd>', 'Press <kbd>Ctrl</kbd>+<kbd>S</kbd>'],
  ['<b>one <i>two</i></b>', '<b>one <i>two</i></b>'],
  ['List<String> and <script>alert(1)</script>', 'List&lt;String&gt; and &lt;script&gt;alert(1)&lt;/script&gt;'],
  ['<sub onclick="x">a</sub>', '&lt;sub onclick=&quot;x&quot;&gt;a&lt;/sub&gt;'],
  ['a <sub>b without an end', 'a &lt;sub&gt;b without an end'],
  ['a</sub> b', 'a&lt;/sub&gt; b'],
  ['<sub>a<sup>b</sub>c</sup>', '<sub>a&lt;sup&gt;b</sub>c&lt;/sup&gt;'],
  ['`<br>`', '&lt;br&gt;'],
])('%j: HTML that is meant is applied, and all other is shown', (text, html) => {
  expect(render(text)).toContain(html);
});

test.each([
  ['a reference', 'See [the docs][d] and [D].\n\nMore.\n\n[d]: https://example.com "Docs"\n'],
  ['a definition before its use', '[d]: <https://example.com>\n\n    code\n\n> [d]\n'],
  ['a definition in two lines', '[a b]:\n  /x\n\n- [A  B]\n- c\n'],
  ['the first of two definitions', '[d]: /one\n\ntext\n\n[d]: /two\n\n[d]'],
  ['a definition in a table', '| a |\n|---|\n| [d] |\n\n[d]: /one'],
])('%s works across blocks', (_, text) => {
  expect(comparable(render(text))).toBe(comparable(asOne(text)));
  expect(render(text)).toContain('<a href="');
});

test('footnotes are numbered across blocks, and listed once, at the end', () => {
  const html = render(
    'One[^a].\n\nTwo[^b], and again[^a].\n\n[^a]: First\n\n    more\n\n[^b]: Second, see [d]\n\n[d]: /x\n\nEnd.',
  );
  expect([...html.matchAll(/<sup><a href="#user-content-fn-\w"[^>]*>(\d+)</g)].map(([, number]) => number)).toEqual([
    '1',
    '2',
    '1',
  ]);
  expect(occurrences(html, '<section')).toBe(1);
  expect(html.indexOf('End.')).toBeLessThan(html.indexOf('<section'));
  expect(textOf(html.slice(html.indexOf('<section')))).toMatch(/First\s+more.*Second, see d/s);
  expect(html).toContain('href="/x"');
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(html).toContain(`id="${target}"`);
});

test('definitions and footnotes count across the borders of details', () => {
  const html = render(
    'One[^a], two[^b], [x].\n\n<details open>\n\nAgain[^a], three[^c], [y], [x].\n\n<details>\n\n[^b]: Second\n\n[x]: /x\n\n</details>\n\n[^c]: Third\n</details>\n\n[^a]: First\n\n[x]: /other\n\n[y]: /y',
  );
  const numbers = [...html.matchAll(/<a href="#user-content-fn-(\w)"[^>]*>(\d+)</g)].map(([, ...one]) => one.join());
  expect(numbers).toEqual(['a,3', 'b,1', 'a,3', 'c,2']);
  expect(occurrences(html, '<section')).toBe(1);
  expect(textOf(html.slice(html.indexOf('<section')))).toMatch(/Second.*Third.*First/s);
  expect(html.indexOf('</details>')).toBeLessThan(html.indexOf('<section'));
  expect(occurrences(html, 'href="/x"')).toBe(2);
  expect(html).toContain('href="/y"');
});

test('details that are complete count while the text after them is still being written', () => {
  const text = 'A[^c] and [x].\n\n<details open>\n\n[^c]: C\n\n[x]: /x\n\n</details>\n\nmore';
  const { references } = new BlockSplitter().update(text);
  expect(references.footnotes.map(({ label }) => label)).toEqual(['C']);
  expect([...references.definitions.keys()]).toEqual(['X']);
});

test('details with fences that are read again take linear time', () => {
  const fence = (level: number): string => '`'.repeat(20 - level);
  const nested = (level: number): string =>
    level === 5
      ? `${'word '.repeat(2_000)}\n`
      : `<details>\n<summary>x\n\n${fence(level)}\n</summary>\n\n${nested(level + 1)}\n\`\`\`markdown\n\`\`\`js\n${fence(level)}\n\n</details>\n\nafter\n\n`;
  const updates = vi.spyOn(BlockSplitter.prototype, 'update');
  new BlockSplitter().update(nested(0), true);
  expect(updates.mock.calls.length).toBeLessThanOrEqual(3 * 6);
  updates.mockRestore();
});

test('more footnotes in details than a call has room for arguments are read', () => {
  const notes = Array.from({ length: 150_000 }, (_, number) => `[^${number}]: x`).join('\n');
  const { references } = new BlockSplitter().update(`<details>\n\n${notes}\n</details>\n\nx`, true);
  expect(references.footnotes.length).toBeGreaterThan(0);
});

test('details inside each other without end are read only to a bounded depth', () => {
  const text = `${'<details>\n\n'.repeat(20_000)}[^a]: x\n\n${'</details>\n\n'.repeat(20_000)}`;
  expect(render(text)).toContain('<details');
});

test('an indented block after a reference to a footnote stays code', () => {
  expect(render('    a[^n]\n\n[^n]: x')).toContain('<code>a[^n]');
});

test('blocks read in the direction of their words, whatever they begin with', () => {
  const html = render(
    '`npm install` מתקין חבילות\n\n- React הוא ספרייה\n- ועוד\n\n| שם | ערך |\n|---|---|\n| a b | שלום |\n\n> ציטוט\n\nEnglish with שלום in it',
  );
  expect(html).toContain('<p dir="rtl"><code');
  expect(html).toMatch(/<ul[^>]* dir="rtl"/);
  expect(html).toMatch(/<div[^>]* dir="rtl"[^>]*><table/);
  expect(html).toContain('<td dir="ltr">a b');
  expect(html).toContain('<blockquote dir="rtl">');
  expect(html).toContain('<p dir="ltr">English');
  expect(render('Only English.\n\n- a')).not.toContain('dir=');
});

describe('what could take long is bounded', () => {
  test('a long table shows its beginning, and how many rows there are', () => {
    const html = render(`| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(1_000)}`);
    expect(occurrences(html, '<tr>')).toBe(1 + MARKDOWN_LIMITS.partRows * MARKDOWN_LIMITS.tablePartsShown);
    expect(occurrences(html, '<thead>')).toBe(1);
    expect(html).toContain('Show all 1,000 rows');
  });

  test('a long list shows its beginning, and how many items there are', () => {
    const html = render('3. item\n'.repeat(10_000));
    expect(occurrences(html, '<li>')).toBe(MARKDOWN_LIMITS.partItems * MARKDOWN_LIMITS.listPartsShown);
    expect(html).toMatch(/^<div class="blocks [^"]*"><ol [^>]*start="3">/);
    expect(html).toContain('Show all 10,000 items');
  });

  test('a long list is loose throughout if it is loose anywhere', () => {
    const items = '- item\n'.repeat(100);
    expect(occurrences(render(items), '<p>')).toBe(0);
    expect(occurrences(render(`${items}\n- last`), '<p>')).toBe(101);
  });

  test('code in a fence of thousands of lines is rendered in part', () => {
    const html = render(`\`\`\`\n${'a line\n'.repeat(5_000)}`);
    expect(html.length).toBeLessThan(20_000);
    expect(html).toContain('height:100000px');
  });

  test.each([
    ['a paragraph', 'word '.repeat(400_000)],
    ['an HTML block', `<div>\n${'text <b>bold</b>\n'.repeat(20_000)}`],
    ['a quote', '> text\n'.repeat(20_000)],
    ['nested quotes', `${'>'.repeat(10_000)} a`],
    ['nested lists', `${'- '.repeat(10_000)}a`],
    ['a ladder of lists', Array.from({ length: 200 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
    ['brackets', '['.repeat(10_000)],
    ['nested links', `${'['.repeat(5_000)}a${'](x)'.repeat(5_000)}`],
    ['nested emphasis', '*a _b '.repeat(1_600) + 'c_ d*'.repeat(1_600)],
    ['a row of a table', `| a |\n|---|\n| ${'x'.repeat(1_000_000)} |`],
    ['an item of a list', `- a\n- ${'word '.repeat(100_000)}`],
  ])('%s is shown as plain text, of which all can be asked for', (_, text) => {
    const html = render(text);
    expect(html.length).toBeLessThan(70_000);
    expect(html).not.toMatch(/<em>|<blockquote>/);
    expect(html).toContain('[content-visibility:auto]');
    if (text.length > MARKDOWN_LIMITS.plainShown) expect(html).toMatch(/Show all [\d,]+ characters/);
  });

  test.each([
    ['stars', '*'.repeat(10_000)],
    ['backticks', Array.from({ length: 150 }, (_, length) => '`'.repeat(length)).join(' ')],
    ['entities', '&amp'.repeat(4_000)],
    ['addresses', 'www.a.b '.repeat(2_000)],
    ['quotes below the limit', `${'>'.repeat(MARKDOWN_LIMITS.depthMax - 1)} a`],
  ])('%s are parsed as always', (_, text) => {
    expect(render(text)).not.toContain('[content-visibility:auto]');
  });

  test('a data URL of 20 MB is left out, and the text around it is Markdown', () => {
    const html = render(`An ![image](data:image/png;base64,${'A'.repeat(20_000_000)}) and *more*.`);
    expect(html.length).toBeLessThan(2_000);
    expect(textOf(html)).toBe('An image and more.');
    expect(html).toContain('<em>more</em>');
  });

  test('until the renderer is loaded, only the beginning of a long text is laid out', () => {
    const html = renderToStaticMarkup(createElement(Markdown, { name: 'text', text: 'A'.repeat(2_000_000) }));
    expect(html).toContain('AAA');
    expect(html.length).toBeLessThan(20_000);
  });

  test('the text of a link that only repeats a long address is shortened', () => {
    const url = `https://example.com/${'a'.repeat(3_000)}`;
    const html = render(`See ${url} there.`);
    expect(html).toContain(`href="${url}"`);
    expect(textOf(html).length).toBeLessThan(300);
  });

  test('of a long answer, only the beginning and the end are rendered at first', () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `Paragraph *${index}* of a very long answer.\n`).join(
      '\n',
    );
    const html = render(text);
    const limit = MARKDOWN_LIMITS.groupBlocks * (MARKDOWN_LIMITS.groupsAtOnce + 1);
    expect(occurrences(html, '<p>')).toBeLessThanOrEqual(limit);
    expect(html).toContain('<em>0</em>');
    expect(html).toContain('Paragraph *10000*');
    expect(html).toContain('<em>19999</em>');
  });
});

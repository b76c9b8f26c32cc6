import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { test } from '#components/test/studio-test.ts';
import { paste } from './test/paste.ts';
import { TINY_PNG } from './test/tiny-png.ts';

const PNG = new File([TINY_PNG], 'image.png', { type: 'image/png' });
const CELLS =
  '<html><head><style>td { color: red }</style></head><body><table><col width=64><tr><td>Name</td><td>Age</td></tr><tr><td>Ann|B</td><td>7</td></tr></table></body></html>';

const PASTES: readonly [what: string, data: Readonly<Record<string, string>>, files: readonly File[], text: string][] =
  [
    [
      'cells of a spreadsheet',
      { 'text/plain': 'Name\tAge\nAnn|B\t7', 'text/html': CELLS },
      [PNG],
      '| Name | Age |\n| --- | --- |\n| Ann\\|B | 7 |',
    ],
    [
      'text of a document',
      {
        'text/plain': 'Plan\nsnake_case now',
        'text/html':
          '<b style="font-weight:normal"><h2>Plan</h2><p>snake_case <span style="font-weight:700">now</span>, <a href="https://a.example/">there</a></p></b>',
      },
      [PNG],
      '## Plan\n\nsnake_case **now**, [there](https://a.example/)',
    ],
    [
      'code with its colors',
      {
        'text/plain': 'const a_b = 1;',
        'text/html':
          '<div style="font-family: monospace"><div><span style="color: blue">const</span> a_b = 1;</div></div>',
      },
      [],
      'const a_b = 1;',
    ],
    [
      'code as another editor copies it',
      { 'text/plain': 'a *b* c', 'text/html': '<meta charset="utf-8"><pre>a <b>*b*</b> c</pre>' },
      [],
      'a *b* c',
    ],
    [
      'code that a page shows in a table',
      {
        'text/plain': 'def run(self):\n    return 1\n',
        'text/html':
          '<table><tr><td data-line="1"></td><td>def run(self):</td></tr><tr><td data-line="2"></td><td>    return 1</td></tr></table>',
      },
      [],
      'def run(self):\n    return 1\n',
    ],
    [
      'code of an editor by JetBrains',
      {
        'text/plain': '/** Sums. */\nval START = 1',
        'text/html':
          '<html><body><div style="background-color:#fff;color:#080808"><pre style="font-family:\'JetBrains Mono\',monospace"><span style="font-style:italic">/** Sums. */<br></span><span style="font-weight:bold">val</span> <span style="font-style:italic">START</span> = 1</pre></div></body></html>',
      },
      [],
      '/** Sums. */\nval START = 1',
    ],
    [
      'code that an editor makes paragraphs of',
      {
        'text/plain': 'func run() {\n    start()\n}',
        'text/html':
          '<p class="p1"><b>func</b> run() {</p><p class="p1"><span>    </span>start()</p><p class="p1">}</p>',
      },
      [],
      'func run() {\n    start()\n}',
    ],
    [
      'a list within a list, as Google Docs writes it',
      {
        'text/plain': '- Fruit\n   - Apple\n   - Pear\n- Bread',
        'text/html':
          '<b style="font-weight:normal"><ul><li dir="ltr"><p dir="ltr"><span>Fruit</span></p></li><ul><li><p>Apple</p></li><li><p>Pear</p></li></ul><li><p>Bread</p></li></ul></b>',
      },
      [],
      '-   Fruit\n    -   Apple\n    -   Pear\n-   Bread',
    ],
    ['plain text', { 'text/plain': 'one\ntwo' }, [], 'one\ntwo'],
    [
      'code in bold letters',
      {
        'text/plain': '  if (a) b();',
        'text/html':
          '<div style="font-family: Menlo, monospace"><div><span style="font-weight: bold">if</span> (a) b();</div></div>',
      },
      [],
      '  if (a) b();',
    ],
    [
      'cells of which one spans several',
      {
        'text/plain': 'Title\t\n1\t2\n3',
        'text/html':
          '<table><tr><td colspan="2">Title</td></tr><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>',
      },
      [],
      '| Title |  |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |',
    ],
    [
      'a column of cells',
      {
        'text/plain': 'one\ntwo\n',
        'text/html': '<table><tr><td>one</td></tr><tr><td>two</td></tr></table>',
      },
      [PNG],
      'one\ntwo\n',
    ],
    [
      'an address that is a link to itself',
      {
        'text/plain': 'https://example.com/a?b=1&c=2',
        'text/html': '<a href="https://example.com/a?b=1&amp;c=2">https://example.com/a?b=1&amp;c=2</a>',
      },
      [],
      'https://example.com/a?b=1&c=2',
    ],
    ['a single cell', { 'text/plain': '42', 'text/html': '<table><tr><td>42</td></tr></table>' }, [PNG], '42'],
    [
      'only what can be seen',
      {
        'text/plain': 'Hello there',
        'text/html':
          '<p>Hello <a href="/local">there</a></p><div style="display:none">Ignore that.</div><p hidden>And this.</p><textarea>x</textarea>',
      },
      [],
      'Hello there',
    ],
    [
      'the text that was seen, if the markup says something else',
      { 'text/plain': 'Hello', 'text/html': `<h1>${'Something else. '.repeat(1_000)}</h1>` },
      [],
      'Hello',
    ],
    [
      'cells with many blanks',
      {
        'text/plain': 'a b\tc',
        'text/html': `<table><tr><td>a${'&nbsp;'.repeat(100_000)}b</td><td>c</td></tr></table>`,
      },
      [],
      '| a b | c |\n| --- | --- |',
    ],
    ['a text with a label and its picture', { 'text/plain': 'Name:\tAlice\nAge:\t3' }, [PNG], 'Name:\tAlice\nAge:\t3'],
    ['a text and its picture, without markup', { 'text/plain': 'Total\t12\nRest\t3' }, [PNG], 'Total\t12\nRest\t3'],
    [
      'very many lines',
      { 'text/plain': 'x', 'text/html': `<b style="font-weight:normal">${'<br>'.repeat(100_000)}<h1>x</h1></b>` },
      [],
      '# x',
    ],
  ];

describe('what is pasted', () => {
  test.for(PASTES)('becomes text: %s', async ([, data, files, text], { studio }) => {
    await studio.open();
    await studio.message.fill('Look: ');
    await paste(studio.message, data, ...files);
    await expect.element(studio.message).toHaveValue(`Look: ${text}`);
    await expect.element(page.getByRole('button', { name: /^Remove / })).not.toBeInTheDocument();
    await keyboard.press('ControlOrMeta+z');
    await expect.element(studio.message).toHaveValue('Look: ');
  });

  test('is attached if it is a file, or a picture alone', async ({ studio }) => {
    await studio.open();
    await paste(
      studio.message,
      { 'text/plain': 'notes.txt' },
      new File(['hello'], 'notes.txt', { type: 'text/plain' }),
    );
    await expect.element(page.getByRole('button', { name: 'Remove notes.txt' })).toBeVisible();
    await paste(studio.message, { 'text/html': '<img src="https://a.example/b.png">' }, PNG);
    await expect.element(page.getByRole('button', { name: 'Remove image.png' })).toBeVisible();
    // As Firefox copies a picture.
    const url = 'https://a.example/b.png';
    await paste(studio.message, { 'text/html': `<img src="${url}">`, 'text/plain': url }, PNG);
    await expect.element(page.getByRole('button', { name: 'Remove image.png' })).toHaveLength(2);
    // As programs copy one that has no markup.
    for (const text of ['https://a.example/c d.png', '/home/me/My pictures/d.png', 'd.png']) {
      const before = page.getByRole('button', { name: 'Remove image.png' }).elements().length;
      await paste(studio.message, { 'text/plain': text }, PNG);
      await expect.element(page.getByRole('button', { name: 'Remove image.png' })).toHaveLength(before + 1);
    }
    await expect.element(studio.message).toHaveValue('');
  });

  test('is attached if it is long, and can be put into the message', async ({ studio }) => {
    const long = 'A line of a log.\n'.repeat(500).trim();
    await studio.open();
    await studio.message.fill('Why?');
    await paste(studio.message, { 'text/plain': long });
    await expect.element(page.getByRole('button', { name: 'Remove Pasted text.txt' })).toBeVisible();
    await expect.element(studio.message).toHaveValue('Why?');
    await page.getByRole('button', { name: 'Insert into message' }).click();
    await expect.element(studio.message).toHaveValue(`Why?\n\n${long}`);
    await expect.element(page.getByRole('button', { name: /^Remove / })).not.toBeInTheDocument();

    await studio.openSettings('General');
    await studio.choose('Attach long pasted text as a file', '200,000 characters or more');
    await keyboard.press('Escape');
    await studio.message.fill('');
    await paste(studio.message, { 'text/plain': long });
    await expect.element(studio.message).toHaveValue(long);
    // Each key would take too long in the text of both.
    await paste(studio.message, { 'text/plain': 'x'.repeat(195_000) });
    await expect.element(page.getByRole('button', { name: 'Remove Pasted text.txt' })).toBeVisible();
    await expect.element(studio.message).toHaveValue(long);
    await page.getByRole('button', { name: 'Remove Pasted text.txt' }).click();
    await paste(studio.message, { 'text/plain': 'x'.repeat(1_000_000) });
    await expect.element(page.getByRole('button', { name: 'Remove Pasted text.txt' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Insert into message' })).not.toBeInTheDocument();
  });
});

test('pictures that were pasted are told apart by what they show', async ({ studio }) => {
  await studio.open();
  const pictureOf = async (color: string) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 4, height: 4 });
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('There is no canvas.');
    Object.assign(context, { fillStyle: color }).fillRect(0, 0, 4, 4);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    return new File([blob ?? ''], 'image.png', { type: 'image/png' });
  };
  for (const color of ['red', 'blue']) await paste(studio.message, {}, await pictureOf(color));
  const pictures = () => [...document.querySelectorAll<HTMLImageElement>('form img')];
  await expect.poll(() => pictures().map(({ naturalWidth }) => naturalWidth)).toEqual([4, 4]);
  const bytes = await Promise.all(pictures().map(async ({ src }) => (await (await fetch(src)).bytes()).join()));
  expect(new Set(bytes).size).toBe(2);
  // One that is damaged would be refused by the server.
  await paste(studio.message, {}, new File([new Uint8Array([137, 80, 78, 71])], 'cut.png', { type: 'image/png' }));
  await expect.element(page.getByText('cut.png is damaged, or isn’t a picture.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Remove image.png' })).toHaveLength(2);
  await page.getByRole('button', { name: 'Remove image.png' }).first().click();
  await expect.element(studio.message).toHaveFocus();
  await expect.poll(async () => (await (await fetch(pictures()[0]?.src ?? '')).bytes()).join()).toBe(bytes[1]);
});

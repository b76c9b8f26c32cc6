import { describe, expect, onTestFinished } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { TINY_PNG } from '#components/chat/test/tiny-png.ts';
import { focus, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

describe('composer', () => {
  test('Shift-Enter inserts a line break, Enter sends', async ({ studio }) => {
    const question = prompt('two');
    await model.script(`one\n${question}`, [{ text: 'Both lines.' }]);
    await studio.open();
    await studio.message.fill('one');
    await keyboard.press('Shift+Enter');
    await keyboard.type(question);
    await keyboard.press('Enter');
    await studio.settled();
    await expect.element(studio.answers).toContainText('Both lines.');
  });

  test('the message box grows with its lines, up to a limit', async ({ studio }) => {
    await studio.open();
    const heightFor = async (lines: number) => {
      await studio.message.fill('line\n'.repeat(lines - 1));
      return (await studio.message.findElement()).getBoundingClientRect().height;
    };
    const [one, five, many, more] = [await heightFor(1), await heightFor(5), await heightFor(50), await heightFor(500)];
    expect(five).toBeGreaterThan(one * 2);
    expect(many).toBeGreaterThan(five);
    expect(more).toBe(many);
  });

  test('attaches text and images, and rejects other files with a reason', async ({ studio }) => {
    const question = prompt('What is in these?');
    await studio.open();
    await page
      .locate('input[type=file]')
      .first()
      .upload([
        new File(['remember the milk'], 'note.txt', { type: 'text/plain' }),
        new File([TINY_PNG], 'dot.png', { type: 'image/png' }),
        new File([new Uint8Array([0, 1, 2, 3])], 'program.bin', { type: 'application/octet-stream' }),
      ]);
    await expect.element(page.getByRole('button', { name: 'Remove note.txt' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Remove dot.png' })).toBeVisible();
    await expect.element(page.getByText('program.bin is neither an image nor text')).toBeVisible();
    await studio.say(question);
    await expect.element(page.getByRole('img', { name: 'Image dot.png' })).toBeVisible();
    await expect.poll(() => model.requestsWith(question)).toHaveLength(1);
    const sent = JSON.stringify(await model.requestsWith(question));
    expect(sent).toContain('remember the milk');
    expect(sent).toContain('image_url');
  });

  test('a queued message that is withdrawn is in the message box again, files included', async ({ studio }) => {
    const question = prompt('Talk');
    await model.script(question, [{ text: 'A long answer.', hold: { after: 5, gate: question } }]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.answers).toContainText('A lon');
    await page
      .locate('input[type=file]')
      .first()
      .upload(new File(['remember the milk'], 'note.txt', { type: 'text/plain' }));
    await expect.element(page.getByRole('button', { name: 'Remove note.txt' })).toBeVisible();
    await studio.say('one thing more');
    await expect.element(page.getByText('Queued until the current answer is done')).toBeVisible();
    await studio.message.fill('and another');
    await page.getByRole('button', { name: 'Don’t send' }).click();
    await expect.element(studio.message).toHaveValue('one thing more\nand another');
    await expect.element(page.getByRole('button', { name: 'Remove note.txt' })).toBeVisible();
    await model.open(question);
    await studio.settled(1);
    await expect.element(studio.answers).toHaveLength(1);
  });
});

/** Pastes what a program has put on the clipboard, by its types. */
async function paste(field: Locator, data: Readonly<Record<string, string>>, ...files: File[]): Promise<void> {
  await focus(field);
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
  for (const file of files) clipboardData.items.add(file);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  if (document.activeElement?.dispatchEvent(event)) document.execCommand('insertText', false, data['text/plain'] ?? '');
}

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

test('the message box reads in the direction of what is typed', async ({ studio }) => {
  await studio.open();
  await studio.message.fill('React הוא ספרייה לבניית ממשקים');
  await expect.element(studio.message).toHaveAttribute('dir', 'rtl');
  await studio.message.fill('Hello');
  await expect.element(studio.message).toHaveAttribute('dir', 'ltr');
});

test('a long message says how many tokens it has, and whether the model reads so many', async ({ studio }) => {
  await studio.open({ model: 'narrow-4k' });
  await studio.message.fill('word '.repeat(1_000));
  await expect.element(page.getByRole('button', { name: 'Send' })).toBeEnabled();
  const estimate = page.getByRole('main').getByText(/About [\d.]+K tokens/);
  await expect.element(estimate).not.toBeInTheDocument();
  await studio.message.fill('word '.repeat(6_000));
  await expect.element(estimate).toContainText('About 8.6K tokens. narrow-4k can read at most 4.1K tokens.');
  await studio.choose('Model', 'scripted');
  await expect.element(estimate).not.toBeInTheDocument();
  await studio.message.fill('word '.repeat(12_000));
  await expect.element(estimate).toHaveText('About 17K tokens.');
});

test('files that are dropped over the conversation are attached, or the reason is said; elsewhere nothing happens', async ({
  studio,
}) => {
  await studio.open();
  const drop = async (target: Locator, file: File) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(file);
    const element = await target.findElement();
    const isCaught = (type: string): boolean => {
      const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
      element.dispatchEvent(event);
      return event.defaultPrevented;
    };
    // Otherwise the browser would leave the page for the file. What catches it is loaded once the page is idle.
    await expect.poll(() => isCaught('dragover')).toBe(true);
    expect(isCaught('drop')).toBe(true);
  };
  await drop(page.getByRole('main'), new File(['hello'], 'notes.txt', { type: 'text/plain' }));
  await expect.element(page.getByRole('button', { name: 'Remove notes.txt' })).toBeVisible();
  await drop(studio.message, new File(['%PDF-1.4\n1 0 obj'], 'paper.pdf', { type: 'application/pdf' }));
  await expect
    .element(page.getByRole('main').getByRole('alert').filter({ hasText: 'paper.pdf is neither an image nor text' }))
    .toBeVisible();
  // One that only browsers read is written again.
  const bitmap = new DataView(new ArrayBuffer(58));
  for (const [at, value] of Object.entries({ 0: 0x4d42, 10: 54, 14: 40, 18: 1, 22: 1, 26: 1, 28: 24 }))
    bitmap.setUint16(Number(at), value, true);
  await drop(page.getByRole('main'), new File([bitmap], 'scan.bmp', { type: 'image/bmp' }));
  await expect.element(page.getByRole('button', { name: 'Remove scan.png' })).toBeVisible();
  const both = ['a.bin', 'b.bin'].map((name) => new File([new Uint8Array([0, 1, 2])], name));
  await page
    .locate('input[type=file]')
    .first()
    .upload([...both, new File([], 'nothing.png', { type: 'image/png' })]);
  await expect.element(page.getByRole('main').getByRole('alert').getByRole('listitem')).toHaveLength(3);
  await expect.element(page.getByText('nothing.png is empty.')).toBeVisible();
  await drop(studio.threads, new File(['other'], 'other.txt', { type: 'text/plain' }));
  await drop(page.getByRole('main'), new File(['last'], 'last.txt', { type: 'text/plain' }));
  await expect.element(page.getByRole('button', { name: 'Remove last.txt' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Remove other.txt' })).not.toBeInTheDocument();
});

test('where fingers write, Enter makes a new line', async ({ studio }) => {
  const { matchMedia } = window;
  const isCoarse = (query: string) => query.includes('(pointer: coarse)');
  window.matchMedia = (query) => matchMedia.call(window, isCoarse(query) ? 'all' : query);
  onTestFinished(() => {
    window.matchMedia = matchMedia;
  });
  await studio.open();
  await studio.message.fill('one');
  await keyboard.press('Enter');
  await keyboard.type('two');
  await expect.element(studio.message).toHaveValue('one\ntwo');
  await expect.element(studio.message).toHaveAttribute('enterkeyhint', 'enter');
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

test('what the studio puts into the message can be undone', async ({ studio }) => {
  await studio.open({ files: { '/notes.md': 'x' } });
  await focus(studio.message);
  await keyboard.type('alpha @no');
  await page.getByRole('option', { name: /notes\.md/ }).click();
  await expect.element(studio.message).toHaveValue('alpha @/notes.md ');
  await keyboard.press('ControlOrMeta+z');
  await expect.element(studio.message).toHaveValue('alpha @no');
  await keyboard.press('ControlOrMeta+Shift+z');
  await expect.element(studio.message).toHaveValue('alpha @/notes.md ');
  await studio.message.fill('before');
  const long = 'a long line\n'.repeat(1_000);
  await paste(studio.message, { 'text/plain': long });
  await page.getByRole('button', { name: 'Insert into message' }).click();
  await expect.element(studio.message).toHaveValue(`before\n\n${long}`);
  await keyboard.press('ControlOrMeta+z');
  await expect.element(studio.message).toHaveValue('before');
});

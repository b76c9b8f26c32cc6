import { describe, expect, onTestFinished } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { focus, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import { paste } from './test/paste.ts';
import { TINY_PNG } from './test/tiny-png.ts';

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

  test('a long draft leaves room for its buttons in small windows, also with files', async ({ studio }) => {
    await studio.open();
    const hasRoom = async (width: number, height: number, lines: number) => {
      await page.viewport(width, height);
      await studio.message.fill('A line of the draft\n'.repeat(lines));
      for (const element of [studio.send, page.getByRole('heading', { level: 1 })])
        await expect
          .poll(
            async () => {
              const { top, bottom, left, right } = (await element.findElement()).getBoundingClientRect();
              return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
            },
            { message: `${element.selector} in ${width} × ${height}` },
          )
          .toBe(true);
      // Nothing around them cuts them off, either.
      await expect.element(studio.send).toBeInViewport({ ratio: 1 });
      await expect.element(page.getByRole('heading', { level: 1 })).toBeInViewport();
    };
    const all = async () => {
      await hasRoom(320, 256, 10);
      await hasRoom(640, 400, 20);
      await hasRoom(844, 390, 20);
      await hasRoom(390, 430, 20);
    };
    await all();
    const files = Array.from({ length: 8 }, (_, n) => new File(['x'], `notes-${n}.txt`, { type: 'text/plain' }));
    await page
      .locate('input[type=file]')
      .first()
      .upload([...files, new File([new Uint8Array([0, 1, 2])], 'a.bin')]);
    await expect.element(page.getByText('a.bin is neither an image nor text')).toBeVisible();
    await expect.element(page.getByRole('button', { name: /^Remove / })).toHaveLength(8);
    await all();
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
    // They stay visible while the message is edited, because they are sent again.
    await studio.settled();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await expect.element(page.getByRole('img', { name: 'Image dot.png' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Attached file note.txt' })).toBeVisible();
    const edited = prompt('And now?');
    await page.getByRole('textbox', { name: 'Edit message' }).fill(edited);
    await page.getByRole('button', { name: 'Send', exact: true }).first().click();
    await expect.poll(() => model.requestsWith(edited)).toHaveLength(1);
    expect(JSON.stringify(await model.requestsWith(edited))).toContain('remember the milk');
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

test('the message box reads in the direction of what is typed', async ({ studio }) => {
  await studio.open();
  await studio.message.fill('React הוא ספרייה לבניית ממשקים');
  await expect.element(studio.message).toHaveAttribute('dir', 'rtl');
  await studio.message.fill('Hello');
  await expect.element(studio.message).toHaveAttribute('dir', 'ltr');
  await studio.say('מה השעה?');
  await studio.settled();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect.element(page.getByRole('textbox', { name: 'Edit message' })).toHaveAttribute('dir', 'rtl');
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
  // Also if all of it is attached.
  await studio.message.fill('');
  await expect.element(estimate).not.toBeInTheDocument();
  await paste(studio.message, { 'text/plain': 'word '.repeat(12_000) });
  await expect.element(estimate).toBeVisible();
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
  await drop(
    studio.message,
    new File([new Uint8Array([0, 1, 2])], 'program.bin', { type: 'application/octet-stream' }),
  );
  await expect
    .element(page.getByRole('main').getByRole('alert').filter({ hasText: 'program.bin is neither an image nor text' }))
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

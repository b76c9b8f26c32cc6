import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
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
    const png = Uint8Array.fromBase64(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    );
    await page
      .locate('input[type=file]')
      .first()
      .upload([
        new File(['remember the milk'], 'note.txt', { type: 'text/plain' }),
        new File([png], 'dot.png', { type: 'image/png' }),
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

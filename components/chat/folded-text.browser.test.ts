import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { assistantMessage, storedThread, userMessage } from '#e2e/lib/stored-threads.ts';
import { articles } from './test/conversation.ts';

test('a long question shows its first lines, and the others when asked', async ({ studio }) => {
  const long = Array.from({ length: 40 }, (_, n) => `Line ${n}`).join('\n');
  const nearlyLong = Array.from({ length: 14 }, (_, n) => `Row ${n}`).join('\n');
  const answer = assistantMessage('a', [{ type: 'text', text: 'Yes.' }]);
  await studio.open({
    threads: [storedThread('t', [userMessage('q', long), answer, userMessage('p', nearlyLong)])],
    thread: 't',
  });
  const question = articles.first();
  const box = question.locate('p');
  const isWhole = async () => {
    const { scrollHeight, clientHeight } = await box.findElement();
    return scrollHeight <= clientHeight;
  };
  expect(await isWhole()).toBe(false);
  await press(question.getByRole('button', { name: 'Show all' }), 'Enter');
  expect(await isWhole()).toBe(true);
  await press(question.getByRole('button', { name: 'Show less' }), 'Enter');
  expect(await isWhole()).toBe(false);
  const other = articles.last();
  await expect.element(other).toContainText('Row 13');
  await expect.element(other.getByRole('button', { name: 'Show all' })).not.toBeInTheDocument();
});

test('each line of a message reads in the direction of most of its words', async ({ studio }) => {
  const name = crypto.randomUUID().slice(0, 8);
  const lines = [`\`const a = 1\` זה קבוע של התוכנית ${name}`, 'An English line.', 'const b = 2;'];
  await model.script(lines.join('\n'), [{ text: 'שלום' }]);
  await studio.open();
  await studio.say(lines.join('\n'));
  await studio.settled();
  const shown = page.getByRole('article', { name: 'You' }).locate('p > span');
  await expect.element(shown).toHaveLength(3);
  const directions = shown.elements().map((line) => getComputedStyle(line).direction);
  expect(directions).toEqual(['rtl', 'ltr', 'ltr']);
  expect((await page.getByRole('article', { name: 'You' }).locate('p').findElement()).textContent).toBe(
    lines.join('\n'),
  );
});

import { expect } from 'vitest';
import { articles } from '#components/chat/test/conversation.ts';
import { press } from '#components/test/browser.ts';
import { test } from '#components/test/studio-test.ts';
import { assistantMessage, storedThread, userMessage } from '#e2e/lib/stored-threads.ts';

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

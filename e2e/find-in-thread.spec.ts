import type { Page } from '@playwright/test';
import { answerOf, feedOf, findInThread, scrollerOf } from './lib/conversation.ts';
import { expect, test } from './lib/fixtures.ts';
import { prompt } from './lib/prompt.ts';
import { assistantMessage, longThread, readCallPart, storedThread, userMessage } from './lib/stored-threads.ts';

/** Whether the match that the user is at can be seen. */
const isCurrentInView = (page: Page): Promise<boolean> =>
  scrollerOf(page).evaluate((scroller) => {
    const [range] = CSS.highlights.get('found-current') ?? [];
    if (!(range instanceof Range)) return false;
    const box = range.getBoundingClientRect();
    const view = scroller.getBoundingClientRect();
    return box.top >= view.top && box.bottom <= view.bottom;
  });

test('a match is shown in what an answer does not show at first', async ({ page, studio }) => {
  const rows = Array.from({ length: 1_000 }, (_, n) => `| row ${n} | ${n === 900 ? 'needle' : 'hay'} |`).join('\n');
  const items = Array.from({ length: 1_000 }, (_, n) => `- item ${n}${n === 950 ? ' with a needle' : ''}`).join('\n');
  const prose = `${'word '.repeat(8_000)}and the needle at its end.`;
  const text = `| a | b |\n| - | - |\n${rows}\n\n${items}\n\n${prose}`;
  const call = readCallPart('call', '/needle.txt', 'A needle in the result, and another needle');
  const answer = assistantMessage('a', [call, { type: 'text', text }]);
  await studio.open({ threads: [storedThread('t', [userMessage('q', 'Search'), answer])], thread: 't' });
  await expect(answerOf(page, 1).or(page.getByRole('article').last())).toBeVisible();
  await studio.message.focus();
  const find = page.getByRole('search', { name: 'Find in thread' });
  await findInThread(page, 'needle');
  await expect(find.getByRole('status')).toHaveText('1 of 6');
  /** The text around the match that the user is at. */
  const current = () =>
    page.evaluate(() => {
      const [range] = CSS.highlights.get('found-current') ?? [];
      const { startContainer, startOffset } = (range ?? new Range()) as Range;
      return (startContainer.textContent ?? '').slice(Math.max(0, startOffset - 8), startOffset + 6);
    });
  const around = ['/needle', 'A needle', 'another needle', 'needle', ' with a needle', 'and the needle'];
  for (const [index, expected] of around.entries()) {
    if (index > 0) await page.keyboard.press('Enter');
    await expect(find.getByRole('status')).toHaveText(`${index + 1} of 6`);
    await expect.poll(current, { timeout: 20_000 }).toBe(expected.slice(-14));
    await expect.poll(() => isCurrentInView(page), `match ${index + 1}`).toBe(true);
  }
});

test('the number of matches grows while an answer is written', async ({ page, studio, bench }) => {
  const question = prompt('Write on');
  bench.model.script(question, [{ text: 'needle and hay, '.repeat(400), piece: 16, delayMs: 20 }]);
  await studio.open();
  await studio.say(question);
  await expect(studio.answers.last()).toContainText('needle');
  await findInThread(page, 'needle');
  const status = page.getByRole('search', { name: 'Find in thread' }).getByRole('status');
  await expect(status).toHaveText(/^\d+ of \d{2}$/);
  await expect(feedOf(page)).toHaveAttribute('aria-busy', 'true');
});

test('a match in a long message of the user is shown', async ({ page, studio }) => {
  const text = `${'A line of some length.\n'.repeat(40_000)}needle\n${'More lines.\n'.repeat(1_000)}`;
  const { thread, messages } = longThread('long', 20);
  const all = [userMessage('q', text), assistantMessage('a', [{ type: 'text', text: 'Read.' }])];
  await studio.open({
    threads: [{ ...storedThread('long', [...all, ...messages.map(({ message }) => message)]), thread }],
    thread: 'long',
  });
  await expect(answerOf(page, 10)).toBeInViewport();
  await findInThread(page, 'needle');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1');
  await expect.poll(() => isCurrentInView(page)).toBe(true);
});

test('a match is shown in a long result of a call', async ({ page, studio }) => {
  const lines = (count: number, at: number) =>
    Array.from({ length: count }, (_, n) => (n === at ? 'the needle' : `line ${n}`)).join('\n');
  const calls = [readCallPart('one', '/a.txt', lines(20_000, 15_000)), readCallPart('two', '/b.txt', lines(40, 20))];
  const answer = assistantMessage('a', [...calls, { type: 'text', text: 'Read.' }]);
  await studio.open({ threads: [storedThread('t', [userMessage('q', 'Read'), answer])], thread: 't' });
  const find = page.getByRole('search', { name: 'Find in thread' });
  await findInThread(page, 'needle');
  for (const n of [1, 2]) {
    await expect(find.getByRole('status')).toHaveText(`${n} of 2`);
    await expect(page.getByText('the needle').nth(n - 1)).toBeInViewport();
    await expect.poll(() => isCurrentInView(page)).toBe(true);
    await page.keyboard.press('Enter');
  }
});

import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { focus, keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import { assistantMessage, longThread, readCallPart, storedThread, userMessage } from '#e2e/lib/stored-threads.ts';
import { answerOf, feed, findBar, findInThread, scroller } from './test/conversation.ts';

const status = findBar.getByRole('status');

/** The range of the match that the user has gone to; undefined if there is none. */
function currentMatch(): Range | undefined {
  const [range] = CSS.highlights.get('found-current') ?? [];
  return range instanceof Range ? range : undefined;
}

/** Checks whether the current match can be seen. */
async function isCurrentInView(): Promise<boolean> {
  const box = currentMatch()?.getBoundingClientRect();
  const view = (await scroller()).getBoundingClientRect();
  return box !== undefined && box.top >= view.top && box.bottom <= view.bottom;
}

test('a match is shown in what an answer does not show at first', async ({ studio }) => {
  const rows = Array.from({ length: 1_000 }, (_, n) => `| row ${n} | ${n === 900 ? 'needle' : 'hay'} |`).join('\n');
  const items = Array.from({ length: 1_000 }, (_, n) => `- item ${n}${n === 950 ? ' with a needle' : ''}`).join('\n');
  const prose = `${'word '.repeat(8_000)}and the needle at its end.`;
  const text = `| a | b |\n| - | - |\n${rows}\n\n${items}\n\n${prose}`;
  const call = readCallPart('call', '/needle.txt', 'A needle in the result, and another needle');
  const answer = assistantMessage('a', [call, { type: 'text', text }]);
  await studio.open({ threads: [storedThread('t', [userMessage('q', 'Search'), answer])], thread: 't' });
  await expect.element(page.getByRole('article').last()).toBeVisible();
  await focus(studio.message);
  await findInThread('needle');
  await expect.element(status).toHaveText('1 of 6');
  /** The text around the match that the user is at. */
  const current = () => {
    const { startContainer, startOffset } = currentMatch() ?? new Range();
    return (startContainer.textContent ?? '').slice(Math.max(0, startOffset - 8), startOffset + 6);
  };
  const around = ['/needle', 'A needle', 'another needle', 'needle', ' with a needle', 'and the needle'];
  for (const [index, expected] of around.entries()) {
    if (index > 0) await keyboard.press('Enter');
    await expect.element(status).toHaveText(`${index + 1} of 6`);
    await expect.poll(current).toBe(expected.slice(-14));
    await expect.poll(isCurrentInView, { message: `match ${index + 1} is in view` }).toBe(true);
  }
});

test('the number of matches grows while an answer is written', async ({ studio }) => {
  const question = prompt('Write on');
  await model.script(question, [{ text: 'needle and hay, '.repeat(400), piece: 16, delayMs: 20 }]);
  await studio.open();
  await studio.say(question);
  await expect.element(studio.answers.last()).toContainText('needle');
  await findInThread('needle');
  await expect.element(status).toHaveText(/^\d+ of \d{2}$/);
  await expect.element(feed).toHaveAttribute('aria-busy', 'true');
});

test('a match in a long message of the user is shown', async ({ studio }) => {
  const text = `${'A line of some length.\n'.repeat(40_000)}needle\n${'More lines.\n'.repeat(1_000)}`;
  const { thread, messages } = longThread('long', 20);
  const all = [userMessage('q', text), assistantMessage('a', [{ type: 'text', text: 'Read.' }])];
  await studio.open({
    threads: [{ ...storedThread('long', [...all, ...messages.map(({ message }) => message)]), thread }],
    thread: 'long',
  });
  await expect.element(answerOf(10)).toBeInViewport();
  await findInThread('needle');
  await expect.element(status).toHaveText('1 of 1');
  await expect.poll(isCurrentInView).toBe(true);
});

test('a match is shown in a long result of a call', async ({ studio }) => {
  const lines = (count: number, at: number) =>
    Array.from({ length: count }, (_, n) => (n === at ? 'the needle' : `line ${n}`)).join('\n');
  const calls = [readCallPart('one', '/a.txt', lines(20_000, 15_000)), readCallPart('two', '/b.txt', lines(40, 20))];
  const answer = assistantMessage('a', [...calls, { type: 'text', text: 'Read.' }]);
  await studio.open({ threads: [storedThread('t', [userMessage('q', 'Read'), answer])], thread: 't' });
  await expect.element(page.getByRole('article').last()).toBeVisible();
  await findInThread('needle');
  for (const n of [1, 2]) {
    await expect.element(status).toHaveText(`${n} of 2`);
    await expect.element(page.getByText('the needle').nth(n - 1)).toBeInViewport();
    await expect.poll(isCurrentInView).toBe(true);
    await keyboard.press('Enter');
  }
});

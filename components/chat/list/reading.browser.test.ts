import { describe, expect, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { copiedBy, focus, frames, keyboard, mouse, press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt } from '#e2e/lib/prompt.ts';
import { assistantMessage, longThread, storedThread, userMessage } from '#e2e/lib/stored-threads.ts';
import {
  answerOf,
  articles,
  feed,
  questionOf,
  readRow,
  scroller,
  scrollTop,
  toLatest,
  topOf,
  wheel,
} from '../test/conversation.ts';

const PARAGRAPHS = Array.from({ length: 60 }, (_, n) => `Paragraph ${n} of a long answer.`).join('\n\n');

const CODE = `\`\`\`ts\n${Array.from({ length: 200 }, (_, n) => `const line${n} = ${n};`).join('\n')}\n\`\`\``;

/** Picks the message that is being read now. Returns a function for its distance from the top, in CSS pixels, at any time. */
async function reading(): Promise<() => Promise<number>> {
  const row = await readRow();
  return () => topOf(row);
}

describe('a reader who has scrolled up', () => {
  test('is not offered the way to the end while the end is in view', async ({ studio }) => {
    await studio.open({ threads: [longThread('long', 60)], thread: 'long' });
    await expect.element(answerOf(30)).toBeInViewport();
    let isOffered = false;
    const offers = new MutationObserver(() => {
      isOffered ||= toLatest.query() !== null;
    });
    offers.observe(document.body, { childList: true, subtree: true });
    const question = prompt('More');
    await model.script(question, [{ text: PARAGRAPHS, piece: 40 }]);
    await studio.say(question);
    await studio.settled(31);
    await expect.element(page.getByText('Paragraph 59 of')).toBeInViewport();
    offers.disconnect();
    expect(isOffered).toBe(false);
  });

  test('stays there when the queued message is sent', async ({ studio }) => {
    await studio.open({ threads: [longThread('long', 60)], thread: 'long' });
    await expect.element(answerOf(30)).toBeInViewport();
    const [first, second] = [prompt('First'), prompt('Second')];
    await model.script(first, [{ text: PARAGRAPHS, hold: { after: 1_000, gate: first } }]);
    await model.script(second, [{ text: 'The second answer.' }]);
    await studio.say(first);
    await expect.element(page.getByText('Paragraph 10 of')).toBeVisible();
    await studio.say(second);
    await expect.element(page.getByText('Queued until')).toBeVisible();
    await wheel(-3_000);
    await frames(20);
    const place = await reading();
    const before = await place();
    await model.open(first);
    await expect.poll(() => model.requestsFor(second)).toHaveLength(1);
    await expect.element(feed).toHaveAttribute('aria-busy', 'false');
    await frames(20);
    expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(1);
  });
});

test('Home and End go to the ends of 1,000 messages', async ({ studio }) => {
  await studio.open({ threads: [longThread('long', 1_000)], thread: 'long' });
  await expect.element(answerOf(500)).toBeInViewport();
  await answerOf(500).getByText('Here is what I found').click();
  await keyboard.press('Home');
  await expect.element(questionOf(1)).toBeInViewport();
  expect(await scrollTop()).toBe(0);
  await frames(30);
  expect(await scrollTop()).toBe(0);
  await keyboard.press('End');
  await expect.element(page.getByText('That was answer 500.')).toBeInViewport();
  await keyboard.press('ControlOrMeta+Home');
  await expect.element(questionOf(1)).toBeInViewport();
});

test('Home goes to the first message, also while older messages are being loaded', async ({ studio }) => {
  const heights: number[] = [];
  const pressEarly = async () => {
    await frames(1);
    const list = await scroller();
    heights.push(list.scrollHeight);
    const home = { key: 'Home', bubbles: true, cancelable: true };
    list.querySelector('[data-message-id]')?.dispatchEvent(new KeyboardEvent('keydown', home));
  };
  const appears = new MutationObserver(() => {
    if (document.querySelector('[data-message-id]') === null) return;
    appears.disconnect();
    void pressEarly();
  });
  appears.observe(document.body, { childList: true, subtree: true });
  await studio.open({ threads: [longThread('long', 1_000)], thread: 'long' });
  await expect.element(questionOf(1)).toBeInViewport();
  expect((await scroller()).scrollHeight).toBeGreaterThan(10 * (heights[0] ?? 0));
  await frames(30);
  expect(await scrollTop()).toBe(0);
});

test('after a click into its text, only the conversation is selected as a whole', async ({ studio }) => {
  await studio.open({ threads: [longThread('long', 20)], thread: 'long' });
  await answerOf(10).getByText('Here is what I found').click();
  await keyboard.press('ControlOrMeta+a');
  const conversation = await scroller();
  const range = getSelection()?.getRangeAt(0);
  expect(conversation.contains(range?.startContainer ?? null)).toBe(true);
  expect(conversation.contains(range?.endContainer ?? null)).toBe(true);
});

test('a selection in long code is copied from where it begins, wherever the code was scrolled to', async ({
  studio,
}) => {
  const code = Array.from({ length: 3_000 }, (_, n) => `const line${n} = ${n};`).join('\n');
  const answer = assistantMessage('a', [{ type: 'text', text: `\`\`\`ts\n${code}\n\`\`\`` }]);
  await studio.open({ threads: [storedThread('code', [userMessage('q', 'Code'), answer])], thread: 'code' });
  const box = articles.last().locate('pre');
  const beginning = async (line: number) => {
    const { left, top } = (await box.locate(`[data-line="${line}"]`).findElement()).getBoundingClientRect();
    return [left, top] as const;
  };
  const [x, y] = await beginning(2);
  await mouse.move(x + 1, y + 10);
  await mouse.down();
  await mouse.move(x + 20, y + 50);
  for (let turn = 0; turn < 20; turn++) await mouse.wheel(0, 1_000);
  await expect.element(box.locate('[data-line="1003"]')).toBeVisible();
  await frames(10);
  const [endX, endY] = await beginning(1_003);
  await mouse.move(endX + 1, endY + 10, { steps: 5 });
  await mouse.up();
  const lines = (await copiedBy(() => keyboard.press('ControlOrMeta+c'))).split('\n');
  expect(lines[0]).toBe('const line2 = 2;');
  expect(lines.slice(0, 1_000)).toEqual(code.split('\n').slice(2, 1_002));
});

test('what was shown in full stays so, and keeps the focus', async ({ studio }) => {
  const list = Array.from({ length: 500 }, (_, n) => `- item ${n}`).join('\n');
  const answer = assistantMessage('list', [{ type: 'text', text: `${list}\n\nThe end of the list.` }]);
  const { thread, messages } = longThread('long', 60);
  const all = [userMessage('q', 'A list'), answer, ...messages.map(({ message }) => message)];
  await studio.open({ threads: [{ ...storedThread('long', all), thread }], thread: 'long' });
  await answerOf(30).getByText('Here is what I found').click();
  await keyboard.press('Home');
  const showAll = page.getByRole('button', { name: 'Show all 500 items' });
  await press(showAll, 'Enter');
  await expect.element(page.getByText('item 499')).toBeVisible();
  await expect.element(articles.nth(1).getByRole('list').first()).toHaveFocus();
  await focus(studio.message);
  await toLatest.click();
  await expect.element(page.getByText('item 499')).not.toBeInTheDocument();
  await page.getByText('That was answer 30.').click();
  await keyboard.press('Home');
  await expect.element(page.getByText('item 499')).toBeVisible();
  await expect.element(showAll).not.toBeInTheDocument();
});

test('a card keeps the focus when calls before and after it fold away', async ({ studio }) => {
  const question = prompt('Compute a lot');
  const gate = prompt('the last calls');
  const turns = Array.from({ length: 14 }, (_, n) => ({
    calls: evalCall(`${n} + 1`),
    ...(n === 12 && { hold: { after: 0, gate } }),
  }));
  await model.script(question, [...turns, { text: 'All computed.' }]);
  await studio.open({ settings: { defaultModel: 'scripted', permissions: { browser: { execute: 'allow' } } } });
  await studio.say(question);
  await expect.element(page.getByRole('group', { name: 'Tool call: browser_js_eval' })).toHaveLength(12);
  const card = page.getByRole('group', { name: 'Tool call: browser_js_eval' }).nth(5);
  const heading = card.getByRole('button').first();
  await focus(heading);
  await model.open(gate);
  await studio.settled();
  await expect.element(page.getByRole('button', { name: 'Ran code 5 times' })).toBeVisible();
  await expect.element(heading).toHaveFocus();
});

test('a thread that cannot be read says so, shows its end, and opens on Retry', async ({ studio }) => {
  await studio.open({ threads: [longThread('long', 40)] });
  const { getAll } = IDBIndex.prototype;
  const repair = () => {
    IDBIndex.prototype.getAll = getAll;
  };
  onTestFinished(repair);
  IDBIndex.prototype.getAll = function (...args: Parameters<typeof getAll>) {
    if (this.objectStore.name === 'messages') throw new DOMException('The disk cannot be read.', 'UnknownError');
    return getAll.apply(this, args);
  };
  await studio.threads.getByRole('link', { name: 'Thread long' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Couldn’t open this thread' });
  await expect.element(notice).toContainText('The disk cannot be read.');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveText('Thread long');
  await expect.element(page.getByText('That was answer 20.')).toBeInViewport();
  // A message that is sent meanwhile is not lost.
  await studio.say('Not lost');
  await expect.element(studio.message).toHaveValue('Not lost');
  repair();
  await notice.getByRole('button', { name: 'Retry' }).click();
  await expect.element(notice).not.toBeInTheDocument();
  await expect.element(page.locate('[aria-setsize="40"]').first()).toBeInTheDocument();
});

test('code that is being written shows its newest lines, until one scrolls up in it', async ({ studio }) => {
  const question = prompt('Write code');
  await model.script(question, [{ text: CODE, piece: 60, hold: { after: 2_400, gate: question } }]);
  await studio.open();
  await studio.say(question);
  const box = studio.answers.last().locate('pre');
  const scrolled = async () => (await box.findElement()).scrollTop;
  await expect.element(box).toContainText('line115 =');
  await expect.element(page.getByText('const line115 = 115;')).toBeInViewport();
  await box.hover();
  await mouse.wheel(0, -300);
  await expect.poll(scrolled).toBeLessThan(2_000);
  await frames(20);
  const place = await scrolled();
  await model.open(question);
  await studio.settled();
  expect(await scrolled()).toBe(place);
});

test('code that was being written shows its beginning once it is complete', async ({ studio }) => {
  const question = prompt('Write all the code');
  await model.script(question, [{ text: CODE, piece: 60, hold: { after: 2_400, gate: question } }]);
  await studio.open();
  await studio.say(question);
  await expect.element(page.getByText('const line115 = 115;')).toBeInViewport();
  await model.open(question);
  await studio.settled();
  await expect.element(page.getByText('const line0 = 0;')).toBeInViewport();
});

test('the focus stays with a message that is edited, answered again, or shown in another version', async ({
  studio,
}) => {
  const [question, edited] = [prompt('Before'), prompt('After')];
  await model.script(question, [{ text: 'An answer.' }]);
  await model.script(edited, [{ text: 'Another answer.' }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const row = page.getByRole('article', { name: 'You' });
  await press(row.getByRole('button', { name: 'Edit' }), 'Enter');
  await keyboard.press('Escape');
  await expect.element(row).toHaveFocus();
  await press(row.getByRole('button', { name: 'Edit' }), 'Enter');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type(edited);
  await keyboard.press('Enter');
  await studio.settled(2);
  await expect.element(studio.answers).toContainText('Another answer.');
  await expect.element(row).toContainText(edited);
  await expect.element(row).toHaveFocus();
  await press(row.getByRole('button', { name: 'Previous version' }), 'Enter');
  await expect.element(row).toContainText(question);
  await expect.element(row).toHaveFocus();
  await press(studio.answers.getByRole('button', { name: 'Regenerate' }), 'Enter');
  await studio.settled(3);
  await expect.poll(() => document.activeElement?.tagName).toBe('ARTICLE');
});

test('in a narrow window, the conversation is where it was after a look at the files', async ({ studio }) => {
  await page.viewport(390, 800);
  await studio.open({ threads: [longThread('long', 100)], thread: 'long' });
  await expect.element(answerOf(50)).toBeInViewport();
  await wheel(-8_000);
  await frames(20);
  const place = await reading();
  const before = await place();
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect.element(feed).not.toBeInTheDocument();
  await frames(10);
  await page.getByRole('tab', { name: 'Chat' }).click();
  await frames(30);
  expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
});

test('a paragraph of a long answer stays in view when the window becomes narrow', async ({ studio }) => {
  const text = Array.from({ length: 300 }, (_, n) => `Paragraph ${n}: ${'some words of it '.repeat(20)}`).join('\n\n');
  const answer = assistantMessage('a', [{ type: 'text', text }]);
  const { thread, messages } = longThread('long', 20);
  const all = [...messages.map(({ message }) => message), userMessage('q', 'Write'), answer];
  await studio.open({
    threads: [{ ...storedThread('long', all), thread: { ...thread, headId: 'a' } }],
    thread: 'long',
  });
  await expect.element(page.getByText('Paragraph 299:')).toBeInViewport();
  await wheel(-12_000);
  await frames(20);
  // Between two paragraphs, there is none.
  const found = [0, 20].map((by) => document.elementFromPoint(innerWidth / 2, innerHeight / 2 + by)?.closest('p'));
  const shown = /Paragraph \d+:/.exec(found.find((paragraph) => paragraph)?.textContent ?? '')?.[0];
  expect(shown).toBeDefined();
  await page.viewport(1_000, 900);
  await frames(30);
  await expect.element(page.getByText(shown ?? '')).toBeInViewport();
});

test('a missing message says so in its place, and nothing is sent by itself', async ({ studio }) => {
  const sent: string[] = [];
  const { fetch: send } = globalThis;
  onTestFinished(() => {
    globalThis.fetch = send;
  });
  globalThis.fetch = (...args) => {
    sent.push(new Request(...args).method);
    return send(...args);
  };
  const thread = longThread('long', 6);
  const messages = thread.messages.filter(({ message }) => !['long-a1', 'long-a3'].includes(message.id));
  await studio.open({ threads: [{ ...thread, messages }], thread: 'long' });
  await expect.element(articles).toHaveLength(6);
  await expect.element(articles.nth(1)).toContainText('This message can’t be shown');
  await expect.element(articles.nth(5)).toContainText('This message can’t be shown');
  await expect.element(questionOf(1)).toBeInTheDocument();
  await frames(30);
  expect(sent).not.toContain('POST');
});

test('code of one line of a million characters shows its beginning', async ({ studio }) => {
  const text = `Here:\n\n\`\`\`\n${'abcdefghij'.repeat(100_000)}\n\`\`\`\n\nThe end.`;
  await studio.open({
    threads: [storedThread('t', [userMessage('q', 'Code'), assistantMessage('a', [{ type: 'text', text }])])],
    thread: 't',
  });
  await expect.element(page.getByText('The end.')).toBeInViewport();
  await expect.element(page.getByText('abcdefghijabcdefghij')).toBeInViewport();
});

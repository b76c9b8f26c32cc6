import type { Page } from '@playwright/test';
import { answerOf, feedOf, frames, questionOf, scrollerOf, scrollTop, topOf, wheel } from './lib/conversation.ts';
import { expect, test } from './lib/fixtures.ts';
import { evalCall, prompt } from './lib/prompt.ts';
import { assistantMessage, longThread, storedThread, userMessage } from './lib/stored-threads.ts';
import { StudioPage } from './lib/studio-page.ts';

const PARAGRAPHS = Array.from({ length: 60 }, (_, n) => `Paragraph ${n} of a long answer.`).join('\n\n');

/** Where the message is that one reads, in pixels from the top; to be asked again later. */
async function reading(page: Page): Promise<() => Promise<number>> {
  const id = await scrollerOf(page).evaluate((scroller) => {
    const { left, top } = scroller.getBoundingClientRect();
    // There may be a gap between two messages.
    for (let y = top + scroller.clientHeight / 2; y < top + scroller.clientHeight; y += 10) {
      const found = document.elementFromPoint(left + scroller.clientWidth / 2, y);
      const row = found?.closest<HTMLElement>('[data-message-id]');
      if (row) return row.dataset.messageId;
    }
    return undefined;
  });
  const row = page.locator(`[data-message-id="${id}"]`);
  return () => topOf(row);
}

test.describe('a reader who has scrolled up', () => {
  test('is not taken to the end by the smallest steps up while an answer is written', async ({
    page,
    studio,
    bench,
  }) => {
    await studio.open({ threads: [longThread('long', 60)], thread: 'long' });
    await expect(answerOf(page, 30)).toBeInViewport();
    const text = Array.from({ length: 400 }, (_, n) => `Paragraph ${n} of a long answer.`).join('\n\n');
    bench.model.script('More', [{ text, piece: 30, delayMs: 15 }]);
    await studio.say('More');
    await expect(page.getByText('Paragraph 20 of')).toBeAttached();
    await scrollerOf(page).hover();
    for (let step = 0; step < 30; step++) {
      await page.mouse.wheel(0, -6);
      await frames(page, 2);
    }
    await expect(page.getByRole('button', { name: 'Scroll to the latest message' })).toBeVisible();
    const place = await scrollTop(page);
    await frames(page, 30);
    expect(await scrollTop(page)).toBe(place);
  });

  test('is not offered the way to the end while the end is in view', async ({ page, studio, bench }) => {
    await studio.open({ threads: [longThread('long', 60)], thread: 'long' });
    await expect(answerOf(page, 30)).toBeInViewport();
    await page.evaluate(() => {
      const seen = new MutationObserver(() => {
        if (document.querySelector('[aria-label="Scroll to the latest message"]')) document.title = 'offered';
      });
      seen.observe(document.body, { childList: true, subtree: true });
    });
    bench.model.script('More', [{ text: PARAGRAPHS, piece: 40 }]);
    await studio.say('More');
    await studio.settled(31);
    await expect(page.getByText('Paragraph 59 of')).toBeInViewport();
    expect(await page.title()).not.toBe('offered');
  });

  test('stays there when the queued message is sent', async ({ page, studio, bench }) => {
    await studio.open({ threads: [longThread('long', 60)], thread: 'long' });
    await expect(answerOf(page, 30)).toBeInViewport();
    const [first, second] = [prompt('First'), prompt('Second')];
    bench.model.script(first, [{ text: PARAGRAPHS, hold: { after: 1_000, gate: first } }]);
    bench.model.script(second, [{ text: 'The second answer.' }]);
    await studio.say(first);
    await expect(page.getByText('Paragraph 10 of')).toBeVisible();
    await studio.say(second);
    await expect(page.getByText('Queued until')).toBeVisible();
    await wheel(page, -3_000);
    await frames(page, 20);
    const place = await reading(page);
    const before = await place();
    bench.model.open(first);
    await expect.poll(() => bench.model.requestsFor(second)).toHaveLength(1);
    await expect(feedOf(page)).toHaveAttribute('aria-busy', 'false');
    await frames(page, 20);
    expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(1);
  });

  test('stays there when another tab sends a message', async ({ page, studio, bench, context }) => {
    await studio.open({ threads: [longThread('long', 60)], thread: 'long' });
    await expect(answerOf(page, 30)).toBeInViewport();
    const second = new StudioPage(await context.newPage());
    await second.page.goto(page.url());
    await second.page.getByRole('button', { name: 'Continue here' }).click();
    await expect(page.getByRole('button', { name: 'Continue here' })).toBeVisible();
    await page.bringToFront();
    await wheel(page, -5_000);
    await frames(page, 20);
    const place = await reading(page);
    const before = await place();
    const question = prompt('From there');
    bench.model.script(question, [{ text: 'An answer for the other tab.' }]);
    await second.say(question);
    await second.settled(31);
    await expect(page.locator('[aria-setsize="62"]').first()).toBeAttached();
    await frames(page, 20);
    expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(1);
  });

  test('sees a very long answer move by what was scrolled, and nothing else', async ({ page, studio }) => {
    const section = (n: number): string =>
      [
        `Section ${n} begins.`,
        `\`\`\`ts\nconst value${n} = ${n};\nconst other${n} = ${n};\n\`\`\``,
        `| a | b |\n| - | - |\n| ${n} | ${'a longer cell '.repeat(12)} |`,
        `> A quote ${'of some length '.repeat(10)}`,
        `### Heading ${n}`,
      ].join('\n\n');
    const text = Array.from({ length: 300 }, (_, n) => section(n)).join('\n\n');
    const thread = storedThread('long', [
      userMessage('q1', 'Write a book'),
      assistantMessage('a1', [{ type: 'text', text }]),
      userMessage('q2', 'Thanks'),
      assistantMessage('a2', [{ type: 'text', text: 'My pleasure.' }]),
    ]);
    await studio.open({ threads: [thread], thread: 'long' });
    await expect(page.getByText('My pleasure.')).toBeInViewport();
    await scrollerOf(page).hover();
    // Steps end where blocks are rendered as they come near.
    for (let turn = 0; turn < 40; turn++) {
      const block = await scrollerOf(page).evaluateHandle((scroller) => {
        const { left, top } = scroller.getBoundingClientRect();
        const found = document.elementFromPoint(left + scroller.clientWidth / 2, top + scroller.clientHeight / 2);
        return found?.closest('p, pre, td, h3') ?? found;
      });
      const top = () => block.evaluate((element) => element?.getBoundingClientRect().top ?? 0);
      const before = await top();
      await page.mouse.wheel(0, -400);
      await frames(page, 6);
      expect.soft(Math.abs((await top()) - before - 400), `turn ${turn}`).toBeLessThanOrEqual(2);
    }
  });
});

test('Home and End go to the ends of 1,000 messages', async ({ page, studio }) => {
  await studio.open({ threads: [longThread('long', 1_000)], thread: 'long' });
  await expect(answerOf(page, 500)).toBeInViewport();
  await answerOf(page, 500).getByText('Here is what I found').click();
  await page.keyboard.press('Home');
  await expect(questionOf(page, 1)).toBeInViewport();
  expect(await scrollTop(page)).toBe(0);
  await frames(page, 30);
  expect(await scrollTop(page)).toBe(0);
  await page.keyboard.press('End');
  await expect(page.getByText('That was answer 500.')).toBeInViewport();
  await page.keyboard.press('ControlOrMeta+Home');
  await expect(questionOf(page, 1)).toBeInViewport();
});

test('after a click into its text, only the conversation is selected as a whole', async ({ page, studio }) => {
  await studio.open({ threads: [longThread('long', 20)], thread: 'long' });
  await answerOf(page, 10).getByText('Here is what I found').click();
  await page.keyboard.press('ControlOrMeta+a');
  const isInside = await scrollerOf(page).evaluate((scroller) => {
    const range = getSelection()?.getRangeAt(0);
    return range !== undefined && scroller.contains(range.startContainer) && scroller.contains(range.endContainer);
  });
  expect(isInside).toBe(true);
});

test('a selection in long code is copied from where it begins, wherever the code was scrolled to', async ({
  page,
  studio,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const code = Array.from({ length: 3_000 }, (_, n) => `const line${n} = ${n};`).join('\n');
  const answer = assistantMessage('a', [{ type: 'text', text: `\`\`\`ts\n${code}\n\`\`\`` }]);
  await studio.open({ threads: [storedThread('code', [userMessage('q', 'Code'), answer])], thread: 'code' });
  const box = page.getByRole('article').last().locator('pre');
  const first = await box.locator('[data-line="2"]').boundingBox();
  await page.mouse.move((first?.x ?? 0) + 1, (first?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move((first?.x ?? 0) + 20, (first?.y ?? 0) + 50);
  for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 1_000);
  const last = box.locator('[data-line="1003"]');
  await expect(last).toBeVisible();
  await frames(page, 10);
  const end = await last.boundingBox();
  await page.mouse.move((end?.x ?? 0) + 1, (end?.y ?? 0) + 10, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.press('ControlOrMeta+c');
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect(lines[0]).toBe('const line2 = 2;');
  expect(lines.slice(0, 1_000)).toEqual(code.split('\n').slice(2, 1_002));
});

test('what was shown in full stays so, and keeps the focus', async ({ page, studio }) => {
  const list = Array.from({ length: 500 }, (_, n) => `- item ${n}`).join('\n');
  const answer = assistantMessage('list', [{ type: 'text', text: `${list}\n\nThe end of the list.` }]);
  const { thread, messages } = longThread('long', 60);
  const all = [userMessage('q', 'A list'), answer, ...messages.map(({ message }) => message)];
  await studio.open({ threads: [{ ...storedThread('long', all), thread }], thread: 'long' });
  await page.getByRole('feed').waitFor();
  await answerOf(page, 30).getByText('Here is what I found').click();
  await page.keyboard.press('Home');
  const showAll = page.getByRole('button', { name: 'Show all 500 items' });
  await showAll.press('Enter');
  await expect(page.getByText('item 499')).toBeVisible();
  await expect(page.getByRole('article').nth(1).getByRole('list').first()).toBeFocused();
  await studio.message.focus();
  await page.getByRole('button', { name: 'Scroll to the latest message' }).click();
  await expect(page.getByText('item 499')).toHaveCount(0);
  await page.getByText('That was answer 30.').click();
  await page.keyboard.press('Home');
  await expect(page.getByText('item 499')).toBeVisible();
  await expect(showAll).toHaveCount(0);
});

test('a card keeps the focus when calls before and after it fold away', async ({ page, studio, bench }) => {
  const question = prompt('Compute a lot');
  const codeOf = (n: number) => (n === 11 ? 'await new Promise((resolve) => setTimeout(resolve, 4_000))' : `${n} + 1`);
  const turns = Array.from({ length: 14 }, (_, n) => ({ calls: evalCall(codeOf(n)) }));
  bench.model.script(question, [...turns, { text: 'All computed.' }]);
  await studio.open({ settings: { permissions: { browser: { execute: 'allow' } } } });
  await studio.say(question);
  await expect(page.getByRole('group', { name: 'Tool call: browser_js_eval' })).toHaveCount(12);
  const card = page.getByRole('group', { name: 'Tool call: browser_js_eval' }).nth(5);
  const heading = card.getByRole('button').first();
  await heading.focus();
  await studio.settled();
  await expect(page.getByRole('button', { name: '5 calls: Ran code × 5' })).toBeVisible();
  await expect(heading).toBeFocused();
});

test('a thread that cannot be read says so, shows its end, and opens on Retry', async ({ page, studio }) => {
  await studio.open({ threads: [longThread('long', 40)] });
  await page.evaluate(() => {
    const { getAll } = IDBIndex.prototype;
    IDBIndex.prototype.getAll = function (...args) {
      if (this.objectStore.name === 'messages') throw new DOMException('The disk cannot be read.', 'UnknownError');
      return getAll.apply(this, args);
    };
    Object.assign(window, { repair: () => Object.assign(IDBIndex.prototype, { getAll }) });
  });
  await studio.threads.getByRole('link', { name: 'Thread long' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Couldn’t open this thread' });
  await expect(notice).toContainText('The disk cannot be read.');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thread long');
  await expect(page.getByText('That was answer 20.')).toBeInViewport();
  // What is sent meanwhile is not lost.
  await studio.message.fill('Not lost');
  await page.keyboard.press('Enter');
  await expect(studio.message).toHaveValue('Not lost');
  await page.evaluate(() => (window as unknown as { repair(): void }).repair());
  await notice.getByRole('button', { name: 'Retry' }).click();
  await expect(notice).toHaveCount(0);
  await expect(page.locator('[aria-setsize="40"]').first()).toBeAttached();
});

test('code that is being written shows its newest lines, until one scrolls up in it', async ({
  page,
  studio,
  bench,
}) => {
  const question = prompt('Write code');
  const code = Array.from({ length: 200 }, (_, n) => `const line${n} = ${n};`).join('\n');
  bench.model.script(question, [
    { text: `\`\`\`ts\n${code}\n\`\`\``, piece: 60, hold: { after: 2_400, gate: question } },
  ]);
  await studio.open();
  await studio.say(question);
  const box = studio.answers.last().locator('pre');
  const scrolled = () => box.evaluate((element) => element.scrollTop);
  await expect(box).toContainText('line115 =');
  await expect(page.getByText('const line115 = 115;')).toBeInViewport();
  await box.hover();
  await page.mouse.wheel(0, -300);
  await expect.poll(scrolled).toBeLessThan(2_000);
  await frames(page, 20);
  const place = await scrolled();
  bench.model.open(question);
  await studio.settled();
  expect(await scrolled()).toBe(place);
});

test('the focus stays with a message that is edited, answered again, or shown in another version', async ({
  page,
  studio,
  bench,
}) => {
  const [question, edited] = [prompt('Before'), prompt('After')];
  bench.model.script(question, [{ text: 'An answer.' }]);
  bench.model.script(edited, [{ text: 'Another answer.' }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const row = page.getByRole('article', { name: 'You' });
  await row.getByRole('button', { name: 'Edit' }).press('Enter');
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();
  await row.getByRole('button', { name: 'Edit' }).press('Enter');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(edited);
  await page.keyboard.press('Enter');
  await studio.settled(2);
  await expect(studio.answers).toContainText('Another answer.');
  await expect(row).toContainText(edited);
  await expect(row).toBeFocused();
  await row.getByRole('button', { name: 'Previous version' }).press('Enter');
  await expect(row).toContainText(question);
  await expect(row).toBeFocused();
  await studio.answers.getByRole('button', { name: 'Regenerate' }).press('Enter');
  await studio.settled(3);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('ARTICLE');
});

test('in a narrow window, the conversation is where it was after a look at the files', async ({ page, studio }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await studio.open({ threads: [longThread('long', 100)], thread: 'long' });
  await expect(answerOf(page, 50)).toBeInViewport();
  await wheel(page, -8_000);
  await frames(page, 20);
  const place = await reading(page);
  const before = await place();
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(feedOf(page)).toBeHidden();
  await frames(page, 10);
  await page.getByRole('tab', { name: 'Chat' }).click();
  await frames(page, 30);
  expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
});

test('a paragraph of a long answer stays in view when the window becomes narrow', async ({ page, studio }) => {
  const text = Array.from({ length: 300 }, (_, n) => `Paragraph ${n}: ${'some words of it '.repeat(20)}`).join('\n\n');
  const answer = assistantMessage('a', [{ type: 'text', text }]);
  const { thread, messages } = longThread('long', 20);
  const all = [...messages.map(({ message }) => message), userMessage('q', 'Write'), answer];
  await studio.open({
    threads: [{ ...storedThread('long', all), thread: { ...thread, headId: 'a' } }],
    thread: 'long',
  });
  await expect(page.getByText('Paragraph 299:')).toBeInViewport();
  await wheel(page, -12_000);
  await frames(page, 20);
  const shown = await page.evaluate(() => {
    const found = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('p')?.textContent;
    return /Paragraph \d+:/.exec(found ?? '')?.[0];
  });
  expect(shown).toBeDefined();
  await page.setViewportSize({ width: 1_000, height: 900 });
  await frames(page, 30);
  await expect(page.getByText(shown ?? '')).toBeInViewport();
});

test('a missing message says so in its place, and nothing is sent by itself', async ({ page, studio, bench }) => {
  const before = bench.model.requests.length;
  const thread = longThread('long', 6);
  const messages = thread.messages.filter(({ message }) => !['long-a1', 'long-a3'].includes(message.id));
  await studio.open({ threads: [{ ...thread, messages }], thread: 'long' });
  await expect(page.getByRole('article')).toHaveCount(6);
  await expect(page.getByRole('article').nth(1)).toContainText('This message can’t be shown');
  await expect(page.getByRole('article').nth(5)).toContainText('This message can’t be shown');
  await expect(questionOf(page, 1)).toBeAttached();
  await page.waitForLoadState('networkidle');
  expect(bench.model.requests).toHaveLength(before);
});

test('code of one line of a million characters shows its beginning', async ({ page, studio }) => {
  const text = `Here:\n\n\`\`\`\n${'abcdefghij'.repeat(100_000)}\n\`\`\`\n\nThe end.`;
  await studio.open({
    threads: [storedThread('t', [userMessage('q', 'Code'), assistantMessage('a', [{ type: 'text', text }])])],
    thread: 't',
  });
  await expect(page.getByText('The end.')).toBeInViewport();
  await expect(page.getByText('abcdefghijabcdefghij')).toBeInViewport();
});

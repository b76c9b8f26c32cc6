import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { copiedBy, focus, frames, keyboard, mouse } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt } from '#e2e/lib/prompt.ts';
import { assistantMessage, longThread, readCallPart, storedThread, userMessage } from '#e2e/lib/stored-threads.ts';
import {
  answerOf,
  articles,
  findBar,
  findInThread,
  hoverConversation,
  questionOf,
  sameRow,
  scrollTop,
  toLatest,
  topOf,
  wheel,
} from '../test/conversation.ts';

describe('a thread of 300 messages', () => {
  test.beforeEach(async ({ studio }) => {
    await studio.open({ threads: [longThread('other', 300), longThread('long', 300)], thread: 'long' });
    await expect.element(answerOf(150)).toBeInViewport();
    await focus(studio.message);
  });

  test('opens at its end, with only the rows near it in the document', async () => {
    await expect.element(page.getByText('That was answer 150.')).toBeInViewport();
    const last = articles.last();
    await expect.element(last).toHaveAttribute('aria-posinset', '300');
    await expect.element(last).toHaveAttribute('aria-setsize', '300');
    expect(articles.length).toBeLessThan(20);
    expect(document.querySelectorAll('*').length).toBeLessThan(5_000);
  });

  test('keeps what is in view in its place while rows above are measured', async () => {
    await wheel(-8_000);
    const same = await sameRow(articles.nth(6));
    await frames(30);
    const before = await topOf(same);
    // Rows come into the document above, and what is in view moves by what was scrolled and nothing else.
    await mouse.wheel(0, -120);
    await expect.poll(async () => Math.abs((await topOf(same)) - before - 120)).toBeLessThanOrEqual(1);
    await frames(30);
    expect(Math.abs((await topOf(same)) - before - 120)).toBeLessThanOrEqual(1);
  });

  test('comes back where it was left, after another thread and after a reload', async ({ studio }) => {
    await wheel(-12_000);
    await expect.poll(() => scrollTop()).toBeGreaterThan(0);
    await frames(30);
    const same = await sameRow(articles.nth(5));
    const top = await topOf(same);
    await studio.threads.getByRole('link', { name: 'Thread other' }).click();
    await expect.element(answerOf(150)).toBeInViewport();
    await studio.threads.getByRole('link', { name: 'Thread long' }).click();
    await expect.poll(async () => Math.abs((await topOf(same)) - top)).toBeLessThanOrEqual(2);
    await studio.reopen();
    await expect.element(same).toBeVisible();
    await expect.poll(async () => Math.abs((await topOf(same)) - top)).toBeLessThanOrEqual(2);
    // The other one was left at its end.
    await studio.threads.getByRole('link', { name: 'Thread other' }).click();
    await expect.element(page.getByText('That was answer 150.')).toBeInViewport();
  });

  test('stays at its end while an answer is written, until the user scrolls up', async ({ studio }) => {
    const paragraphs = Array.from({ length: 50 }, (_, n) => `Paragraph ${n + 10} of a long answer.\n\n`);
    const piece = paragraphs[0]?.length ?? 0;
    const question = prompt('More');
    await model.script(question, [{ text: paragraphs.join(''), piece, hold: { after: 21 * piece, gate: question } }]);
    await studio.say(question);
    await expect.element(page.getByText('Paragraph 30 of')).toBeInViewport();
    const end = await scrollTop();
    await hoverConversation();
    await mouse.wheel(0, -200);
    await expect.element(toLatest).toBeVisible();
    await expect.poll(scrollTop).toBeLessThan(end);
    const place = await scrollTop();
    await model.open(question);
    await studio.settled(151);
    expect(await scrollTop()).toBe(place);
    await toLatest.click();
    await expect.element(page.getByText('Paragraph 59 of')).toBeInViewport();
  });

  test('is copied as a whole', async () => {
    await page.getByText('That was answer 150.').click();
    await keyboard.press('ControlOrMeta+a');
    const copied = await copiedBy(() => keyboard.press('ControlOrMeta+c'));
    expect(copied.match(/Question \d+:/g)).toHaveLength(150);
    expect(copied.match(/That was answer \d+\./g)).toHaveLength(150);
    expect(copied.indexOf('Question 1:')).toBeLessThan(copied.indexOf('That was answer 150.'));
  });

  test('is searched as a whole, and its matches are gone through', async () => {
    await findInThread('note 75 about');
    await expect.element(findBar.getByRole('status')).toHaveText('1 of 1');
    // In the result of a call, whose card was closed.
    await expect.element(page.getByText('Note 75 about the call')).toBeInViewport();
    await findBar.getByRole('textbox').fill('that was answer');
    await expect.element(findBar.getByRole('status')).toHaveText('75 of 150');
    await keyboard.press('Enter');
    await expect.element(findBar.getByRole('status')).toHaveText('76 of 150');
    await expect.element(page.getByText('That was answer 76.')).toBeInViewport();
    await keyboard.press('Shift+Enter');
    await keyboard.press('Shift+Enter');
    await expect.element(page.getByText('That was answer 74.')).toBeInViewport();
    await findBar.getByRole('textbox').fill('value7');
    await expect.element(findBar.getByRole('status')).toHaveText(/of 150$/);
    await findBar.getByRole('textbox').fill('nothing of the kind');
    await expect.element(findBar.getByRole('status')).toHaveText('No results');
    await keyboard.press('Escape');
    await expect.element(findBar).not.toBeInTheDocument();
  });

  test('keeps a card in its place that is opened at the end', async () => {
    const card = page.getByRole('group', { name: 'Tool call: read_file' }).last();
    (await card.findElement()).scrollIntoView({ block: 'nearest' });
    // The rows around it are still being measured when the thread has just been opened.
    let top = await topOf(card);
    await expect
      .poll(async () => {
        const before = top;
        await frames(10);
        top = await topOf(card);
        return Math.abs(top - before);
      })
      .toBe(0);
    await card.getByRole('button', { expanded: false }).first().click();
    await expect.element(card).toContainText('Note 150 about the call');
    await frames(30);
    expect(Math.abs((await topOf(card)) - top)).toBeLessThanOrEqual(1);
  });

  test('is found in the list by what was said in it', async () => {
    await page.getByRole('searchbox', { name: 'Search threads' }).fill('note 60 about');
    const results = page.getByRole('region', { name: 'In messages' });
    await expect.element(results.getByRole('button', { name: 'Note 60 about the call' })).toHaveLength(2);
    await results.getByRole('button', { name: 'Note 60 about the call' }).last().click();
    await expect.element(page.getByText('Note 60 about the call').last()).toBeInViewport();
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveText('Thread other');
  });
});

test('an opened card is still open when its row comes back into the document', async ({ studio }) => {
  const thread = longThread('long', 100);
  await studio.open({ threads: [thread], thread: 'long' });
  const card = page.getByRole('group', { name: 'Tool call: read_file' }).last();
  await card.getByRole('button', { expanded: false }).first().click();
  await expect.element(card).toContainText('Note 48 about the call');
  // Otherwise the row would stay because of the focus.
  await focus(studio.message);
  await wheel(-15_000);
  await expect.element(page.getByText('Note 48 about the call')).not.toBeInTheDocument();
  await toLatest.click();
  await expect.element(page.getByText('Note 48 about the call')).toBeVisible();
});

test('a turn with 200 calls folds into groups, with each call still to be found', async ({ studio }) => {
  const calls = Array.from({ length: 200 }, (_, n) => readCallPart(`call-${n}`, `/file-${n}.txt`, `Text ${n}`));
  await studio.open({
    threads: [storedThread('calls', [userMessage('q', 'Read them all'), assistantMessage('a', calls)])],
    thread: 'calls',
  });
  await expect.element(page.getByRole('group', { name: 'Tool call: read_file' })).toHaveLength(200);
  await expect.element(page.getByRole('button', { name: 'Read 25 files and folders' })).toHaveLength(7);
  expect(document.querySelectorAll('*').length).toBeLessThan(5_000);
  await focus(studio.message);
  await findInThread('Text 137');
  await expect.element(page.getByText('Text 137')).toBeInViewport();
});

test('a damaged message says so in its place, and the rest of the thread works', async ({ studio }) => {
  const thread = longThread('damaged', 6);
  const messages = thread.messages.map((node, index) =>
    index === 3 ? { ...node, message: { ...node.message, parts: 'lost' as never } } : node,
  );
  await studio.open({ threads: [{ ...thread, messages }], thread: 'damaged' });
  await expect.element(articles).toHaveLength(6);
  await expect.element(articles.nth(3)).toContainText('This message can’t be shown');
  await expect.element(questionOf(3)).toBeVisible();
  const question = prompt('Go on');
  await model.script(question, [{ text: 'Here I am.' }]);
  await studio.say(question);
  await expect.element(studio.answers.last()).toContainText('Here I am.');
});

test('an edit that was begun is still there after scrolling through the thread', async ({ studio }) => {
  await studio.open({ threads: [longThread('long', 100)], thread: 'long' });
  await questionOf(50).hover();
  await questionOf(50).getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill('Something else');
  await focus(studio.message);
  await wheel(-20_000);
  await expect.element(answerOf(50)).not.toBeInTheDocument();
  await toLatest.click();
  await expect.element(page.getByRole('textbox', { name: 'Edit message' })).toHaveValue('Something else');
});

test('a dialog that was opened from a message stays open while an answer is written below', async ({ studio }) => {
  const question = prompt('More');
  await model.script(question, [
    { text: 'Line by line.\n\n'.repeat(400), piece: 200, hold: { after: 20, gate: question } },
  ]);
  await studio.open({ threads: [longThread('long', 20)], thread: 'long' });
  await studio.say(question);
  await expect.element(studio.answers.last()).toContainText('Line by line.');
  await studio.chooseAction('View prompt', answerOf(10));
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await model.open(question);
  await studio.settled(11);
  await expect.element(page.getByRole('dialog')).toBeVisible();
});

test('a message that cannot be rendered says so in its place', async ({ studio }) => {
  const thread = longThread('broken', 6);
  const messages = thread.messages.map((node, index) =>
    index === 3
      ? { ...node, message: assistantMessage('broken', [{ type: 'step', model: 'm', notices: [null] } as never]) }
      : node,
  );
  studio.expectedProblems.push('Cannot read properties', 'null');
  await studio.open({
    threads: [
      {
        thread: thread.thread,
        messages: messages.map((node, index) => (index === 4 ? { ...node, parentId: 'broken' } : node)),
      },
    ],
    thread: 'broken',
  });
  await expect.element(articles).toHaveLength(6);
  await expect.element(articles.nth(3)).toContainText('Something went wrong');
  await expect.element(questionOf(3)).toBeVisible();
  await expect.element(answerOf(3)).toContainText('That was answer 3.');
});

test('a console of 1,000 lines has only those near the visible part in the document', async ({ studio }) => {
  const code = 'for (let n = 1; n <= 1000; n++) console.log("line", n); "done"';
  const question = prompt('Print');
  await model.script(question, [{ calls: evalCall(code) }, { text: 'Printed.' }]);
  await studio.open();
  await studio.say(question);
  await studio.settled(1, { whenAsked: 'allow' });
  await page.getByRole('tab', { name: 'Console' }).click();
  const log = page.getByRole('log');
  await expect.element(log).toContainText('line1000');
  expect(log.locate('[data-index]').length).toBeLessThan(100);
  await expect.element(log.locate('[data-index]').filter({ hasText: 'line500' })).not.toBeInTheDocument();
  const lines = await log.locate('[tabindex]').first().findElement();
  lines.scrollTo(0, lines.scrollHeight / 2);
  await expect.element(log).toContainText('line50');
});

test('a match in code of 5,000 lines is shown, wherever in the code it is', async ({ studio }) => {
  const code = Array.from({ length: 5_000 }, (_, n) => `const line${n + 1} = ${n + 1};`).join('\n');
  const text = `Here it is:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThat is all.`;
  await studio.open({
    threads: [storedThread('code', [userMessage('q', 'Code?'), assistantMessage('a', [{ type: 'text', text }])])],
    thread: 'code',
  });
  await expect.element(page.getByText('That is all.')).toBeInViewport();
  await focus(studio.message);
  await findInThread('line3999 =');
  await expect.element(findBar.getByRole('status')).toHaveText('1 of 1');
  await expect.element(page.getByText('const line3999 = 3999;')).toBeInViewport();
  await findBar.getByRole('textbox').fill('line7 =');
  await expect.element(page.getByText('const line7 = 7;', { exact: true })).toBeInViewport();
});

import { answerOf, findInThread, frames, questionOf, scrollTop, topOf, wheel } from './lib/conversation.ts';
import { expect, test } from './lib/fixtures.ts';
import { evalCall, prompt, writeCall } from './lib/prompt.ts';
import { assistantMessage, longThread, readCallPart, storedThread, userMessage } from './lib/stored-threads.ts';

test.describe('a thread of 300 messages', () => {
  test.beforeEach(async ({ studio, page }) => {
    await studio.open({ threads: [longThread('other', 300), longThread('long', 300)], thread: 'long' });
    await expect(answerOf(page, 150)).toBeInViewport();
    await studio.message.focus();
  });

  test('opens at its end, with only the rows near it in the document', async ({ page }) => {
    await expect(page.getByText('That was answer 150.')).toBeInViewport();
    const last = page.getByRole('article').last();
    await expect(last).toHaveAttribute('aria-posinset', '300');
    await expect(last).toHaveAttribute('aria-setsize', '300');
    expect(await page.getByRole('article').count()).toBeLessThan(20);
    expect(await page.locator('*').count()).toBeLessThan(5_000);
  });

  test('can be scrolled to its beginning, and back with a button', async ({ page }) => {
    await expect(async () => {
      await wheel(page, -20_000);
      expect(await scrollTop(page)).toBe(0);
    }).toPass({ timeout: 50_000 });
    await expect(questionOf(page, 1)).toBeInViewport();
    expect(await page.getByRole('article').count()).toBeLessThan(20);
    await page.getByRole('button', { name: 'Scroll to the latest message' }).click();
    await expect(page.getByText('That was answer 150.')).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Scroll to the latest message' })).toBeHidden();
  });

  test('keeps what is in view in its place while rows above are measured', async ({ page }) => {
    await wheel(page, -8_000);
    const row = page.getByRole('article').filter({ visible: true }).nth(6);
    const id = await row.getAttribute('data-message-id');
    const same = page.locator(`[data-message-id="${id}"]`);
    await frames(page, 30);
    const before = await topOf(same);
    // Rows come into the document above, and what is in view moves by what was scrolled and nothing else.
    await page.mouse.wheel(0, -120);
    await expect.poll(async () => Math.abs((await topOf(same)) - before - 120)).toBeLessThanOrEqual(1);
    await frames(page, 30);
    expect(Math.abs((await topOf(same)) - before - 120)).toBeLessThanOrEqual(1);
  });

  test('comes back where it was left, after another thread and after a reload', async ({ page, studio }) => {
    await wheel(page, -12_000);
    await expect.poll(() => scrollTop(page)).toBeGreaterThan(0);
    await frames(page, 30);
    const row = page.getByRole('article').filter({ visible: true }).nth(5);
    const same = page.locator(`[data-message-id="${await row.getAttribute('data-message-id')}"]`);
    const top = await topOf(same);
    await studio.threads.getByRole('link', { name: 'Thread other' }).click();
    await expect(answerOf(page, 150)).toBeInViewport();
    await studio.threads.getByRole('link', { name: 'Thread long' }).click();
    await expect.poll(async () => Math.abs((await topOf(same)) - top)).toBeLessThanOrEqual(2);
    await page.reload();
    await expect(same).toBeVisible();
    await expect.poll(async () => Math.abs((await topOf(same)) - top)).toBeLessThanOrEqual(2);
    // The other one was left at its end.
    await studio.threads.getByRole('link', { name: 'Thread other' }).click();
    await expect(page.getByText('That was answer 150.')).toBeInViewport();
  });

  test('stays at its end while an answer is written, until the user scrolls up', async ({ page, studio, bench }) => {
    const text = Array.from({ length: 60 }, (_, n) => `Paragraph ${n} of a long answer.`).join('\n\n');
    bench.model.script('More', [{ text, piece: 40, hold: { after: 1_200, gate: 'middle' } }]);
    await studio.say('More');
    await expect(page.getByText('Paragraph 30 of')).toBeInViewport();
    await page.getByRole('article').last().hover();
    await page.mouse.wheel(0, -200);
    await expect(page.getByRole('button', { name: 'Scroll to the latest message' })).toBeVisible();
    const place = await scrollTop(page);
    bench.model.open('middle');
    await studio.settled(151);
    expect(await scrollTop(page)).toBe(place);
    await page.getByRole('button', { name: 'Scroll to the latest message' }).click();
    await expect(page.getByText('Paragraph 59 of')).toBeInViewport();
  });

  test('is gone through by key, message by message and question by question', async ({ page }) => {
    await page.keyboard.press('Alt+ArrowUp');
    await expect(answerOf(page, 150)).toBeFocused();
    for (let n = 0; n < 40; n++) await page.keyboard.press('Alt+ArrowUp');
    await expect(answerOf(page, 130)).toBeFocused();
    await expect(answerOf(page, 130)).toBeInViewport();
    await page.keyboard.press('Alt+Shift+ArrowUp');
    await expect(questionOf(page, 130)).toBeFocused();
    await page.keyboard.press('Alt+Shift+ArrowUp');
    await expect(questionOf(page, 129)).toBeFocused();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await expect(questionOf(page, 131)).toBeFocused();
    await expect(questionOf(page, 131)).toBeInViewport();
    // A row with the focus stays in the document.
    await wheel(page, 20_000);
    await expect(questionOf(page, 131)).toBeFocused();
  });

  test('is copied as a whole', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('That was answer 150.').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.match(/Question \d+:/g)).toHaveLength(150);
    expect(copied.match(/That was answer \d+\./g)).toHaveLength(150);
    expect(copied.indexOf('Question 1:')).toBeLessThan(copied.indexOf('That was answer 150.'));
  });

  test('is copied from where the selection begins to where it ends', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await expect(page.getByText('That was answer 150.')).toBeInViewport();
    await page.keyboard.press('Alt+ArrowUp');
    for (let n = 0; n < 40; n++) await page.keyboard.press('Alt+ArrowUp');
    await answerOf(page, 130)
      .getByText('Here is what I found')
      .click({ position: { x: 2, y: 5 } });
    await page.getByRole('button', { name: 'Scroll to the latest message' }).click();
    await expect(page.getByText('That was answer 150.')).toBeInViewport();
    await page.getByText('That was answer 150.').click({ modifiers: ['Shift'], position: { x: 60, y: 8 } });
    await page.keyboard.press('ControlOrMeta+c');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).not.toContain('Question 130:');
    expect(copied).toContain('Question 140:');
    expect(copied.match(/That was answer \d+\./g)).toHaveLength(20);
    expect(copied).toMatch(/\nThat w\w*$/);
  });

  test('is printed as a whole', async ({ page, studio }) => {
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('article')).toHaveCount(300);
    // One below the other, on paper, and nothing beside them.
    const first = await questionOf(page, 1).boundingBox();
    const last = await answerOf(page, 150).boundingBox();
    expect((last?.y ?? 0) - (first?.y ?? 0)).toBeGreaterThan(30_000);
    await expect(studio.threads).toBeHidden();
    await expect(studio.message).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await expect.poll(() => page.getByRole('article').count()).toBeLessThan(20);
    await expect(page.getByText('That was answer 150.')).toBeInViewport();
  });

  test('is searched as a whole, and its matches are gone through', async ({ page }) => {
    const find = page.getByRole('search', { name: 'Find in thread' });
    await findInThread(page, 'note 75 about');
    await expect(find.getByRole('status')).toHaveText('1 of 1');
    // In the result of a call, whose card was closed.
    await expect(page.getByText('Note 75 about the call')).toBeInViewport();
    await find.getByRole('textbox').fill('that was answer');
    await expect(find.getByRole('status')).toHaveText('75 of 150');
    await page.keyboard.press('Enter');
    await expect(find.getByRole('status')).toHaveText('76 of 150');
    await expect(page.getByText('That was answer 76.')).toBeInViewport();
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('Shift+Enter');
    await expect(page.getByText('That was answer 74.')).toBeInViewport();
    await find.getByRole('textbox').fill('value7');
    await expect(find.getByRole('status')).toHaveText(/of 150$/);
    await find.getByRole('textbox').fill('nothing of the kind');
    await expect(find.getByRole('status')).toHaveText('No results');
    await page.keyboard.press('Escape');
    await expect(find).toBeHidden();
  });

  test('is shown at what was found, even if it was left elsewhere', async ({ page, studio }) => {
    await studio.threads.getByRole('link', { name: 'Thread other' }).click();
    await expect(answerOf(page, 150)).toBeInViewport();
    await wheel(page, -20_000);
    await expect(answerOf(page, 150)).not.toBeInViewport();
    await studio.threads.getByRole('link', { name: 'Thread long' }).click();
    await expect(answerOf(page, 150)).toBeInViewport();
    await page.getByRole('searchbox', { name: 'Search threads' }).fill('note 60 about');
    const results = page.getByRole('region', { name: 'In messages' });
    await results.getByRole('button', { name: 'Note 60 about the call' }).last().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thread other');
    await expect(page.getByText('Note 60 about the call').last()).toBeInViewport();
    // More than those for which a restored place is held.
    await frames(page, 40);
    await expect(page.getByText('Note 60 about the call').last()).toBeInViewport();
  });

  test('keeps a card in its place that is opened at the end', async ({ page }) => {
    const card = page.getByRole('group', { name: 'Tool call: read_file' }).last();
    await card.scrollIntoViewIfNeeded();
    const top = await topOf(card);
    await card.getByRole('button', { expanded: false }).first().click();
    await expect(card).toContainText('Note 150 about the call');
    await frames(page, 30);
    expect(Math.abs((await topOf(card)) - top)).toBeLessThanOrEqual(1);
  });

  test('is found in the list by what was said in it', async ({ page }) => {
    await page.getByRole('searchbox', { name: 'Search threads' }).fill('note 60 about');
    const results = page.getByRole('region', { name: 'In messages' });
    await expect(results.getByRole('button', { name: 'Note 60 about the call' })).toHaveCount(2);
    await results.getByRole('button', { name: 'Note 60 about the call' }).last().click();
    await expect(page.getByText('Note 60 about the call').last()).toBeInViewport();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thread other');
  });
});

test('an opened card is still open when its row comes back into the document', async ({ page, studio }) => {
  const thread = longThread('long', 100);
  await studio.open({ threads: [thread], thread: 'long' });
  const card = page.getByRole('group', { name: 'Tool call: read_file' }).last();
  await card.getByRole('button', { expanded: false }).first().click();
  await expect(card).toContainText('Note 48 about the call');
  // Otherwise the row would stay because of the focus.
  await studio.message.focus();
  await wheel(page, -15_000);
  await expect(page.getByText('Note 48 about the call')).toHaveCount(0);
  await page.getByRole('button', { name: 'Scroll to the latest message' }).click();
  await expect(page.getByText('Note 48 about the call')).toBeVisible();
});

test('a turn with 200 calls folds into groups, with each call still to be found', async ({ page, studio }) => {
  const calls = Array.from({ length: 200 }, (_, n) => readCallPart(`call-${n}`, `/file-${n}.txt`, `Text ${n}`));
  await studio.open({
    threads: [storedThread('calls', [userMessage('q', 'Read them all'), assistantMessage('a', calls)])],
    thread: 'calls',
  });
  await expect(page.getByRole('group', { name: 'Tool call: read_file' })).toHaveCount(200);
  await expect(page.getByRole('button', { name: 'Read 25 files and folders' })).toHaveCount(7);
  expect(await page.locator('*').count()).toBeLessThan(5_000);
  await studio.message.focus();
  await findInThread(page, 'Text 137');
  await expect(page.getByText('Text 137')).toBeInViewport();
});

test('a damaged message says so in its place, and the rest of the thread works', async ({ page, studio, bench }) => {
  const thread = longThread('damaged', 6);
  const messages = thread.messages.map((node, index) =>
    index === 3 ? { ...node, message: { ...node.message, parts: 'lost' as never } } : node,
  );
  await studio.open({ threads: [{ ...thread, messages }], thread: 'damaged' });
  await expect(page.getByRole('article')).toHaveCount(6);
  await expect(page.getByRole('article').nth(3)).toContainText('This message can’t be shown');
  await expect(questionOf(page, 3)).toBeVisible();
  bench.model.script('Go on', [{ text: 'Here I am.' }]);
  await studio.say('Go on');
  await expect(studio.answers.last()).toContainText('Here I am.');
});

test('an edit that was begun is still there after scrolling through the thread', async ({ page, studio }) => {
  await studio.open({ threads: [longThread('long', 100)], thread: 'long' });
  await questionOf(page, 50).hover();
  await questionOf(page, 50).getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill('Something else');
  await studio.message.focus();
  await wheel(page, -20_000);
  await expect(answerOf(page, 50)).toHaveCount(0);
  await page.getByRole('button', { name: 'Scroll to the latest message' }).click();
  await expect(page.getByRole('textbox', { name: 'Edit message' })).toHaveValue('Something else');
});

test('a dialog that was opened from a message stays open while an answer is written below', async ({
  page,
  studio,
  bench,
}) => {
  bench.model.script('More', [
    { text: 'Line by line.\n\n'.repeat(400), piece: 200, hold: { after: 20, gate: 'dialog' } },
  ]);
  await studio.open({ threads: [longThread('long', 20)], thread: 'long' });
  await studio.say('More');
  await expect(studio.answers.last()).toContainText('Line by line.');
  await answerOf(page, 10).hover();
  await answerOf(page, 10).getByRole('button', { name: 'View prompt' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  bench.model.open('dialog');
  await studio.settled(11);
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a message that cannot be rendered says so in its place', async ({ page, studio }) => {
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
  await expect(page.getByRole('article')).toHaveCount(6);
  await expect(page.getByRole('article').nth(3)).toContainText('Something went wrong');
  await expect(questionOf(page, 3)).toBeVisible();
  await expect(answerOf(page, 3)).toContainText('That was answer 3.');
});

test('a console of 1,000 lines has only those near the visible part in the document', async ({
  page,
  studio,
  bench,
}) => {
  const code = 'for (let n = 1; n <= 1000; n++) console.log("line", n); "done"';
  bench.model.script('Print', [{ calls: evalCall(code) }, { text: 'Printed.' }]);
  await studio.open();
  await studio.say('Print');
  await studio.settled(1, { whenAsked: 'allow' });
  await page.getByRole('tab', { name: 'Console' }).click();
  const log = page.getByRole('log');
  await expect(log).toContainText('line1000');
  expect(await log.locator('[data-index]').count()).toBeLessThan(100);
  await expect(log.locator('[data-index]', { hasText: 'line500' })).toHaveCount(0);
  await log
    .locator('[tabindex]')
    .first()
    .evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await expect(log).toContainText('line50');
});

test('a match in code of 5,000 lines is shown, wherever in the code it is', async ({ page, studio }) => {
  const code = Array.from({ length: 5_000 }, (_, n) => `const line${n + 1} = ${n + 1};`).join('\n');
  const text = `Here it is:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThat is all.`;
  await studio.open({
    threads: [storedThread('code', [userMessage('q', 'Code?'), assistantMessage('a', [{ type: 'text', text }])])],
    thread: 'code',
  });
  await expect(page.getByText('That is all.')).toBeInViewport();
  await studio.message.focus();
  await findInThread(page, 'line3999 =');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1');
  await expect(page.getByText('const line3999 = 3999;')).toBeInViewport();
  await page.getByRole('search').getByRole('textbox').fill('line7 =');
  await expect(page.getByText('const line7 = 7;', { exact: true })).toBeInViewport();
});

test('an answer that writes 200 files at once is shown to its end, and counted in full', async ({
  page,
  studio,
  bench,
}) => {
  const question = prompt('Write many');
  const calls = Array.from({ length: 200 }, (_, n) => writeCall(`/many/f${n}.txt`, `file ${n}\n`)).flat();
  bench.model.script(question, [{ calls }, { text: 'All written.' }]);
  await studio.open();
  await studio.say(question);
  await studio.settled(1, { timeout: 60_000 });
  await expect(studio.answers.last()).toContainText('All written.');
  await expect(page.getByRole('group', { name: 'Changes of this answer' })).toContainText('200 files changed+200 −0');
  // The editor has followed the model, and does not keep all of them open.
  expect(await page.getByRole('button', { name: /^Close f\d+/ }).count()).toBeLessThanOrEqual(1);
});

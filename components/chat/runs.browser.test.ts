import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { startServer } from '#components/test/servers.ts';
import { test } from '#components/test/studio-test.ts';
import { evalCall, prompt, writeCall } from '#e2e/lib/prompt.ts';

test('[R5] a reload while a call waits for the user: it asks again, and runs once', async ({ studio }) => {
  const question = prompt('Compute');
  await model.script(question, [{ calls: evalCall('6 * 7') }, { text: 'It is 42.' }]);
  await studio.open();
  await studio.say(question);
  await expect.element(studio.allow).toBeVisible();
  await studio.reopen();
  await expect.element(studio.allow).toBeVisible();
  await studio.allow.click();
  await studio.settled();
  await expect.element(studio.call('browser_js_eval')).toContainText('done');
  expect(await model.requestsFor(question)).toHaveLength(2);
});

describe('stop', () => {
  test('[R10] during streaming aborts the upstream request, keeps what arrived, and sends nothing more', async ({
    studio,
  }) => {
    const [question, next] = [prompt('Talk'), prompt('And now?')];
    await model.script(question, [
      { text: 'This much has arrived, and this has not.', hold: { after: 22, gate: `${question} never` } },
    ]);
    await model.script(next, [{ text: 'On we go.' }]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.answers).toContainText('This much');
    await studio.stop.click();
    await studio.settled();
    await expect.poll(() => model.abortedFor(question)).toBe(1);
    await expect.element(studio.answers).toContainText('This much');
    await expect.element(studio.answers).toContainText('Stopped.');
    await studio.say(next);
    await studio.settled(2);
    const sent = (await model.requestsFor(next))[0]?.messages.find(({ role }) => role === 'assistant');
    expect(sent?.content).toMatch(/^This much/);
  });

  test('keeps what has arrived as a version, if the answer begins again', async ({ studio }) => {
    const question = prompt('Talk');
    await model.script(question, [
      { text: 'This much has arrived, and this has not.', hold: { after: 22, gate: question } },
    ]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.answers).toContainText('This much');
    await expect.element(studio.answers.getByRole('status')).not.toBeInTheDocument();
    await expect.element(studio.answers.getByRole('status'), { timeout: 8_000 }).toHaveText('Waiting for the model…');
    await studio.stop.click();
    await model.open(question);
    await studio.answers.getByRole('button', { name: 'Retry' }).click();
    await studio.settled(2);
    await expect.element(studio.answers).toContainText('and this has not.');
    await studio.answers.getByRole('button', { name: 'Next version' }).click();
    await expect.element(studio.answers).toContainText('This much has arrived');
    await expect.element(studio.answers).toContainText('Stopped.');
  });

  test('[R10] during a call ends the tool, and its result tells the model', async ({ studio }) => {
    const [question, next] = [prompt('Loop'), prompt('What happened?')];
    await model.script(question, [{ calls: evalCall('for (;;);') }, { text: 'never sent' }]);
    await model.script(next, [{ text: 'You stopped it.' }]);
    await studio.open();
    await studio.say(question);
    await studio.allow.click();
    await expect.element(studio.call('browser_js_eval')).toContainText('running');
    await press(studio.message, 'Escape');
    await studio.settled();
    await expect.element(studio.call('browser_js_eval')).toContainText('stopped');
    expect(await model.requestsFor(question)).toHaveLength(1);
    await studio.say(next);
    await studio.settled(2);
    const result = (await model.requestsFor(next))[0]?.messages.find(({ role }) => role === 'tool');
    expect(result?.content).toContain('Error (aborted)');
  });

  test('[R6] while arguments are streaming: the call never runs', async ({ studio }) => {
    const question = prompt('Write');
    await model.script(question, [
      { calls: writeCall('/long.txt', 'x'.repeat(2_000)), hold: { after: 500, gate: `${question} never` } },
    ]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.call('write_file')).toContainText('writing…');
    await studio.stop.click();
    await studio.settled();
    await expect.element(studio.call('write_file')).toContainText('cut off');
    expect((await studio.workspace()).has('/long.txt')).toBe(false);
  });

  test('[R10] a message sent while the model answers waits visibly, then is sent', async ({ studio }) => {
    const [question, next] = [prompt('Talk'), prompt('Next')];
    await model.script(question, [{ text: 'A first answer.', hold: { after: 5, gate: question } }]);
    await model.script(next, [{ text: 'A second answer.' }]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.answers).toContainText('A f');
    await studio.say(next);
    await expect.element(page.getByText('Queued until the current answer is done')).toBeVisible();
    await model.open(question);
    await studio.settled(2);
    await expect.element(studio.answers.nth(1)).toContainText('A second answer.');
    await expect.element(page.getByText('Queued until the current answer is done')).not.toBeInTheDocument();
  });

  test('[R10] a message that was waiting when the turn was stopped is sent by itself, after the next one', async ({
    studio,
  }) => {
    const [question, waiting, next] = [prompt('Talk'), prompt('Waiting'), prompt('Next')];
    await model.script(question, [{ text: 'A first answer.', hold: { after: 5, gate: `${question} never` } }]);
    await model.script(next, [{ text: 'The next is answered.', hold: { after: 5, gate: next } }]);
    await model.script(waiting, [{ text: 'So is the other.' }]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.answers).toContainText('A f');
    await studio.say(waiting);
    await expect.element(page.getByText('Queued until the current answer is done')).toBeVisible();
    await studio.stop.click();
    await expect.element(page.getByText('Not sent because the previous answer didn’t finish')).toBeVisible();
    await studio.say(next);
    // It can still be seen, and withdrawn.
    await expect.element(page.getByText('Queued until the current answer is done')).toBeVisible();
    await model.open(next);
    await studio.settled(3);
    await expect.element(studio.answers.nth(1)).toContainText('The next is answered.');
    await expect.element(studio.answers.nth(2)).toContainText('So is the other.');
    await expect.element(page.getByText('Queued')).not.toBeInTheDocument();
  });

  test('[R10] a message sent while a call waits aborts that call', async ({ studio }) => {
    const [question, next] = [prompt('Compute'), prompt('Never mind')];
    await model.script(question, [{ calls: evalCall('1') }]);
    await model.script(next, [{ text: 'Fine.' }]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.allow).toBeVisible();
    await studio.say(next);
    await studio.settled(2);
    await expect.element(studio.call('browser_js_eval')).toContainText('stopped');
    const roles = (await model.requestsFor(next))[0]?.messages.map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
  });
});

describe('retry', () => {
  test('[R12] [R15] after a broken stream repeats the failed step and no finished call', async ({ studio }) => {
    const question = prompt('Write and report');
    await model.script(question, [
      { calls: writeCall('/once.txt', 'once') },
      [{ text: 'Half an answer that breaks', breakAfter: 10, delayMs: 20 }, { text: 'The file is written.' }],
    ]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.answers.getByRole('alert')).toContainText('connection to the model was lost');
    await expect.element(studio.answers).toContainText('Half');
    await page.getByRole('button', { name: 'Retry' }).click();
    await studio.settled(2);
    await expect.element(studio.answers).toContainText('The file is written.');
    await expect.element(studio.call('write_file')).toHaveLength(1);
    expect(await model.requestsFor(question)).toHaveLength(3);
  });

  test('[R15] a provider’s error is shown as a message, with a way to continue', async ({ studio }) => {
    const question = prompt('Ask');
    await model.script(question, [[{ status: 429, message: 'Too many requests' }, { text: 'Now it works.' }]]);
    await studio.open();
    await studio.say(question);
    await expect.element(studio.answers.getByRole('alert')).toContainText('reached the provider’s rate limit');
    await page.getByRole('button', { name: 'Retry' }).click();
    await studio.settled();
    await expect.element(studio.answers).toContainText('Now it works.');
  });

  test('a rate limit that ends soon is shown, with the time that is left', async ({ studio }) => {
    await using server = await startServer('studio', { env: { AGENT_MAX_RETRIES: '1' } });
    const question = prompt('Ask');
    const limited = { status: 429, message: 'Too many requests', headers: { 'retry-after': '2' } };
    await model.script(question, [[limited, { text: 'Now it works.' }]]);
    await studio.open({ server });
    await studio.say(question);
    await expect.element(studio.answers.getByRole('status')).toContainText(/Rate limit reached. Retrying in [12] s…/);
    await studio.settled();
    await expect.element(studio.answers).toContainText('Now it works.');
    await expect.element(studio.answers.getByRole('status')).not.toBeInTheDocument();
  });
});

test('an answer that reached the length limit can be continued', async ({ studio }) => {
  const question = prompt('Tell all');
  await model.script(question, [{ text: 'The first half', finishReason: 'length' }]);
  await model.script('Continue where you left off.', [{ text: 'and the second half.' }]);
  await studio.open();
  await studio.say(question);
  await studio.settled();
  await expect.element(studio.answers).toContainText('cut off at the model’s length limit');
  await studio.answers.getByRole('button', { name: 'Continue' }).click();
  await studio.settled(2);
  await expect.element(studio.answers.last()).toContainText('and the second half.');
  await expect.element(studio.answers.getByRole('button', { name: 'Continue' })).not.toBeInTheDocument();
});

describe('branches', () => {
  test('[R11] [R12] regenerating and editing create versions that survive a reload', async ({ studio }) => {
    const [question, edited] = [prompt('Original'), prompt('Edited')];
    await model.script(question, [[{ text: 'First answer.' }, { text: 'Second answer.' }]]);
    await model.script(edited, [{ text: 'Answer to the edit.' }]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    await studio.answers.hover();
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await studio.settled(2);
    await expect.element(studio.answers).toContainText('Second answer.');
    await page.getByRole('button', { name: 'Previous version' }).click();
    await expect.element(studio.answers).toContainText('First answer.');
    await page.getByRole('article', { name: 'You' }).hover();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Edit message' }).fill(edited);
    await page.getByRole('button', { name: 'Send' }).first().click();
    await studio.settled(3);
    await expect.element(studio.answers).toContainText('Answer to the edit.');
    await studio.reopen();
    await expect.element(studio.answers).toContainText('Answer to the edit.');
    await page.getByRole('article', { name: 'You' }).hover();
    await page.getByRole('button', { name: 'Previous version' }).click();
    await expect.element(studio.answers).toContainText('First answer.');
  });

  test('[R10] leaving a branch with a pending approval aborts its call, and returning shows this', async ({
    studio,
  }) => {
    const question = prompt('Original');
    await model.script(question, [[{ text: 'Plain answer.' }, { calls: evalCall('1') }]]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    await studio.answers.hover();
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await expect.element(studio.allow).toBeVisible();
    await studio.reopen();
    await expect.element(studio.allow).toBeVisible();
    await studio.answers.hover();
    await page.getByRole('article', { name: 'Assistant' }).getByRole('button', { name: 'Previous version' }).click();
    await expect.element(studio.answers).toContainText('Plain answer.');
    await expect.element(studio.allow).not.toBeInTheDocument();
    await studio.answers.hover();
    await page.getByRole('button', { name: 'Next version' }).click();
    await expect.element(studio.call('browser_js_eval')).toContainText('stopped');
  });
});

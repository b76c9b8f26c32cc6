import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { model } from '#components/test/model.ts';
import { startServer } from '#components/test/servers.ts';
import { test } from '#components/test/studio-test.ts';
import { modelsFile } from '#e2e/lib/models-file.ts';
import { prompt, readCall } from '#e2e/lib/prompt.ts';
import { countTokens } from '#e2e/lib/scripted-model.ts';

test('[R14] the step limit ends with an explanation, and the last step is told to answer', async ({ studio }) => {
  await using server = await startServer('studio', { env: { AGENT_MAX_STEPS: '3' } });
  const question = prompt('Go on for ever');
  await model.script(question, [
    { calls: readCall('/a') },
    { calls: readCall('/a') },
    { text: 'I stop here.', calls: readCall('/a') },
  ]);
  await studio.open({ server });
  await studio.say(question);
  await studio.settled();
  await expect.element(studio.answers).toContainText('The model stopped after 3 steps');
  const requests = await model.requestsFor(question);
  expect(requests).toHaveLength(3);
  expect(requests[2]?.tool_choice).toBe('none');
  expect(JSON.stringify(requests[2]?.messages.at(-1))).toContain('used all the steps');
  expect(requests[2]?.messages[0]).toEqual(requests[0]?.messages[0]);
  await expect.element(studio.call('read_file', 2)).toContainText('stopped');
});

test('an endpoint that cannot stream is used without streaming', async ({ studio }) => {
  await using server = await startServer('studio', { env: { AGENT_STREAM: 'false' } });
  const question = prompt('Answer at once');
  await model.script(question, [{ calls: readCall('/a') }, { text: 'All at once.' }]);
  await studio.open({ server });
  await studio.say(question);
  await studio.settled();
  await expect.element(studio.answers).toContainText('All at once.');
  const requests = await model.requestsFor(question);
  expect(requests).toHaveLength(2);
  expect(requests.every(({ stream }) => stream !== true)).toBe(true);
});

test('[R16] what is too long for the model is left out, oldest first, and the user is told', async ({ studio }) => {
  const questions = Array.from({ length: 5 }, (_, n) => prompt(`Question ${n}: ${'lorem ipsum '.repeat(400)}`));
  for (const question of questions)
    await model.script(question, [{ text: `Answer. ${'dolor sit amet '.repeat(100)}` }]);
  await studio.open({ model: 'small-context' });
  for (const [index, question] of questions.entries()) {
    await studio.say(question);
    await studio.settled(index + 1);
  }
  await expect.element(studio.answers.last()).toContainText('context is full');
  await expect.element(studio.answers.last()).toContainText('The context window of small-context is unknown');
  const sent = (await model.requestsFor(questions.at(-1) ?? ''))[0]?.messages ?? [];
  expect(sent.length).toBeLessThan(10);
  expect(sent[0]?.role).toBe('system');
  expect(sent[1]?.role).toBe('user');
  expect(sent.at(-1)?.content).toBe(questions.at(-1));
});

test('[R16] the window that a server says it serves decides how much it gets, and is shown', async ({ studio }) => {
  await using own = await startServer('model');
  await own.set('servedWindow', 16_384);
  await using server = await startServer('studio', { models: modelsFile(await own.get('url')) });
  await own.call('script', 'How much?', [{ text: 'Not much.' }]);
  await studio.open({ model: 'small-context', server });
  await studio.say('How much?');
  await studio.settled();
  const step = (await studio.turns())[0]?.parts.find((part) => part.type === 'step');
  // A quarter is left for the answer.
  expect(step?.type === 'step' ? step.settings.budgetTokens : 0).toBe(12_288);
  await studio.reopen();
  await expect.element(page.getByText(/^Context: .* \/ 12K/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Model', exact: true }).click();
  await expect.element(page.getByRole('option', { name: /^small-context/ })).toContainText('16.4K');
});

test('a server that leaves out the beginning without a word is noticed, and its window is remembered', async ({
  studio,
}) => {
  await using own = await startServer('model');
  await own.set('readsAtMost', 2_048);
  await using server = await startServer('studio', { models: modelsFile(await own.get('url')) });
  await studio.open({ model: 'small-context', server });
  const notice = page.getByText(/read only 2,048 of about [\d,]+ tokens and silently dropped the rest/);
  let turn = 0;
  while (notice.elements().length === 0) {
    expect(++turn).toBeLessThan(12);
    const answer = `Answer ${turn}. ${'and so it goes on and on, '.repeat(50)}`;
    await own.call('script', `Question ${turn}?`, [{ text: answer }]);
    await studio.say(`Question ${turn}?`);
    await studio.settled(turn);
  }
  await expect.element(notice).toContainText('OLLAMA_CONTEXT_LENGTH');
  const sent = (await own.call('requestsFor', `Question ${turn}?`)).at(-1);
  expect(sent && countTokens(sent)).toBeLessThanOrEqual(2_048);
  await own.call('script', 'And now?', [{ text: 'Now.' }]);
  await studio.say('And now?');
  await studio.settled(turn + 1);
  expect(await own.call('requestsFor', 'And now?')).toHaveLength(1);
  await expect.element(notice).toHaveLength(1);
  // In another thread, too.
  await page.getByRole('button', { name: 'New thread' }).click();
  await own.call('script', 'Hello?', [{ text: 'Hello.' }]);
  await studio.say('Hello?');
  await studio.settled(1);
  await expect.element(page.getByText(/^Context: .* \/ 1\.5K/)).toBeVisible();
});

test('tools that fill the window can be turned off where that is said', async ({ studio }) => {
  const question = prompt('Hi');
  await model.script(question, [{ text: 'Hello.' }]);
  await studio.open({ model: 'narrow-1k', toolCalling: 'prompted' });
  await studio.say(question);
  await studio.settled(1);
  const alert = studio.answers.last().getByRole('alert');
  await expect.element(alert).toContainText('The system prompt and the tools fill this model’s context');
  await alert.getByRole('button', { name: /^Turn off Files \([\d,]+ tokens\)$/ }).click();
  await alert.getByRole('button', { name: /^Turn off Browser \([\d,]+ tokens\)$/ }).click();
  await expect.element(alert.getByRole('button', { name: 'Files turned off' })).toBeDisabled();
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect.element(studio.answers.last()).toContainText('Hello.');
});

test('a message longer than the window is refused with what to do, and the thread goes on', async ({ studio }) => {
  await studio.open({ model: 'narrow-4k' });
  await studio.say('word '.repeat(4_000));
  await studio.settled(1);
  await expect
    .element(studio.answers.last().getByRole('alert'))
    .toContainText('Your message is longer than this model’s context.');
  const next = prompt('And this?');
  await model.script(next, [{ text: 'That fits.' }]);
  await studio.say(next);
  await studio.settled(2);
  await expect.element(studio.answers.last()).toContainText('That fits.');
});

test('[R16] a result longer than its share is cut, and the model and the user are told', async ({ studio }) => {
  const question = prompt('Read the long file');
  await model.script(question, [{ calls: readCall('/long.txt') }, { text: 'Read in part.' }]);
  await studio.open({ model: 'small-context', files: { '/long.txt': 'word '.repeat(20_000) } });
  await studio.say(question);
  await studio.settled();
  await expect.element(studio.answers).toContainText('was too long, so the model');
  expect((await model.requestsFor(question))[1]?.messages.at(-1)?.content).toMatch(
    /This result was cut: the first \d+ of its 100000 characters/,
  );
});

import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { model } from '#components/test/model.ts';
import { startServer } from '#components/test/servers.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import type { ScriptedTurn } from '#e2e/lib/scripted-model.ts';

describe('a failing model shows the reason at the turn, keeps the message, and answers a retry', () => {
  const tooLong = { status: 400, message: 'This model’s maximum context length is 4096 tokens.' };
  const cases: { name: string; failures: ScriptedTurn[]; words: string; detail: string; isModels?: boolean }[] = [
    {
      name: 'a server error',
      failures: [{ status: 500, message: 'The GPU is on fire' }],
      words: 'returned an error. Retry, or choose another model',
      detail: 'The GPU is on fire',
    },
    {
      name: 'a model the endpoint does not have',
      failures: [{ status: 404, message: 'The model `scripted` does not exist' }],
      words: 'doesn’t have this model. Choose another one',
      detail: 'The model `scripted` does not exist',
    },
    {
      name: 'a context that is too long, shortened once in vain',
      failures: [tooLong, tooLong],
      words: 'Start a new thread, shorten the message, or choose a model with a larger context',
      detail: tooLong.message,
    },
    {
      name: 'an empty reply, twice',
      failures: [{ text: '' }, { text: '' }],
      words: 'sent an empty answer twice. Retry',
      detail: 'empty reply',
      // An examination may say why.
      isModels: true,
    },
  ];
  for (const { name, failures, words, detail, isModels = false } of cases) {
    test(name, async ({ studio }) => {
      const question = prompt('Ask');
      await model.script(question, [[...failures, { text: 'Now it works.' }]]);
      await studio.open();
      await studio.say(question);
      const alert = studio.answers.getByRole('alert');
      await expect.element(alert).toContainText(words);
      await expect.element(alert).toContainText(detail);
      await expect.element(page.getByRole('article', { name: 'You' })).toContainText(question);
      await expect.element(studio.message).toBeEnabled();
      await expect.element(studio.message).not.toHaveAttribute('readonly');
      expect(await model.requestsFor(question)).toHaveLength(failures.length);
      await expect.element(alert.getByRole('button', { name: 'Model settings…' })).toHaveLength(isModels ? 1 : 0);
      await alert.getByRole('button', { name: 'Retry' }).click();
      await studio.settled();
      await expect.element(studio.answers).toContainText('Now it works.');
      await expect.element(alert).not.toBeInTheDocument();
    });
  }
});

test('if the context is too long, a button starts a new thread', async ({ studio }) => {
  const [question, next] = [prompt('Ask'), prompt('Ask less')];
  await model.script(question, [{ status: 400, message: 'prompt is too long' }]);
  await model.script(next, [{ text: 'Short enough.' }]);
  await studio.open();
  await studio.say(question);
  await studio.answers.getByRole('button', { name: 'New thread' }).click();
  await expect.element(studio.answers).not.toBeInTheDocument();
  await studio.say(next);
  await expect.element(studio.answers).toContainText('Short enough.');
  await studio.threads.getByRole('link', { name: question }).click();
  await expect.element(page.getByRole('article', { name: 'You' })).toContainText(question);
});

describe('an unusable model can be changed at the turn, and the same message is answered', () => {
  const cases: { name: string; model: string; failure?: ScriptedTurn; words: string }[] = [
    {
      name: 'a wrong key',
      model: 'scripted',
      failure: { status: 401, message: 'Incorrect API key provided' },
      words: 'rejected the API key. Replace it',
    },
    {
      name: 'a missing key',
      model: 'no-key',
      words: 'Set NO_SUCH_KEY in the server’s environment and restart it',
    },
    {
      name: 'an unreachable endpoint',
      model: 'unreachable',
      words: 'Can’t reach the model’s server, or it closed the connection. Check that it’s running',
    },
  ];
  for (const { name, model: unusable, failure, words } of cases) {
    test(name, async ({ studio }) => {
      const question = prompt('Ask');
      const answer = { text: 'The other one answers.' };
      await model.script(question, [failure === undefined ? answer : [failure, answer]]);
      await studio.open({ model: unusable });
      await studio.say(question);
      await expect.element(studio.answers.getByRole('alert')).toContainText(words);
      await expect.element(page.getByRole('article', { name: 'You' })).toContainText(question);
      await chooseAnother(studio, 'small-context');
      await studio.answers.getByRole('button', { name: 'Retry' }).click();
      await studio.settled();
      await expect.element(studio.answers).toContainText('The other one answers.');
      expect((await model.requestsFor(question)).at(-1)?.model).toBe('small-context');
    });
  }
});

describe('models that come and go', () => {
  test('without any model, the two ways to get one are shown, and the question is answered once there is one', async ({
    studio,
  }) => {
    await using before = await startServer('studio', { env: { DEMO_MODEL: 'false' }, models: 'models: []' });
    await using after = await startServer('studio', { env: { DEMO_MODEL: 'false' } });
    const question = prompt('Is anybody there?');
    await model.script(question, [{ text: 'Now I am.' }]);
    await studio.open({ server: before, settings: {} });
    await expect.element(page.getByText('No model is set up yet')).toBeVisible();
    await expect.element(page.getByText('Use a model on this computer')).toBeVisible();
    await expect.element(page.getByText('Use a provider’s API key')).toBeVisible();
    await expect.element(page.getByText('Only the demo is available')).not.toBeInTheDocument();
    const picker = page.getByRole('combobox', { name: 'Model', exact: true });
    await expect.element(picker).toContainText('No models found');
    await studio.say(question);
    await expect.element(studio.answers.getByRole('alert')).toContainText('No model is available. Connect one');
    await expect.element(page.getByRole('article', { name: 'You' })).toContainText(question);
    await studio.moveTo(after);
    await studio.answers.getByRole('button', { name: 'Retry' }).click();
    await studio.settled();
    await expect.element(studio.answers).toContainText('Now I am.');
  });

  test('a thread whose model is gone says so, and continues with another one', async ({ studio }) => {
    await using own = await startServer('model');
    const rest = `models:\n  - { id: other, name: other, provider: local, model: scripted, baseURL: ${await own.get('url')} }\n`;
    await using after = await startServer('studio', { models: rest });
    const [first, second] = [prompt('Hello'), prompt('Still there?')];
    await model.script(first, [{ text: 'Hello.' }]);
    await own.call('script', second, [{ text: 'I took over.' }]);
    await studio.open({ settings: {} });
    await studio.choose('Model', 'small-context');
    await studio.say(first);
    await studio.settled();
    await studio.reopen({ server: after });
    const picker = page.getByRole('combobox', { name: 'Model', exact: true });
    await expect.element(picker).toContainText('Not available: small-context');
    await studio.say(second);
    const alert = studio.answers.last().getByRole('alert');
    await expect.element(alert).toContainText('no longer available. Choose another one');
    await chooseAnother(studio, 'other');
    await studio.answers.last().getByRole('button', { name: 'Retry' }).click();
    await studio.settled(2);
    await expect.element(studio.answers.last()).toContainText('I took over.');
    const [request] = await own.call('requestsFor', second);
    expect(request?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });
});

/** Chooses another model with the button that the failed turn offers. */
async function chooseAnother(studio: StudioPage, other: string): Promise<void> {
  await studio.answers.last().getByRole('button', { name: 'Choose another model' }).click();
  await page
    .getByRole('dialog')
    .getByRole('option', { name: new RegExp(`^${other}( |$)`) })
    .click();
  await expect.element(page.getByRole('combobox', { name: 'Model', exact: true })).toContainText(other);
}

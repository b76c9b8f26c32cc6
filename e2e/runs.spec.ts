import type { BrowserContext } from '@playwright/test';
import { expect, test } from './lib/fixtures.ts';
import { evalCall, prompt, readCall } from './lib/prompt.ts';
import { StudioPage } from './lib/studio-page.ts';

/** Chosen at another time: nothing is asked while the server is down, so the page need not have been idle before. */
const SCRIPTED = { settings: { defaultModel: 'scripted' } };

test.describe('reload', () => {
  test('[R9] during streaming: the rest arrives, exactly once', async ({ studio, bench, page }) => {
    const question = prompt('Count');
    const text = Array.from({ length: 60 }, (_, n) => `line ${n}`).join(', ');
    bench.model.script(question, [{ text, prompted: text, hold: { after: 120, gate: question } }]);
    await studio.open(SCRIPTED);
    await studio.say(question);
    await expect(studio.answers).toContainText('line 10');
    await page.reload();
    await expect(studio.answers).toContainText('line 10');
    bench.model.open(question);
    await studio.settled();
    const [turn] = await studio.turns();
    expect(turn?.parts.filter((part) => part.type === 'text').map((part) => part.text)).toEqual([text]);
    expect(bench.model.requestsFor(question)).toHaveLength(1);
  });

  test('[R3] during a call: an execution is not run again, and the model is told that it was interrupted', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('Loop');
    bench.model.script(question, [{ calls: evalCall('for (;;);') }, { text: 'It was interrupted.' }]);
    await studio.open(SCRIPTED);
    await studio.say(question);
    await studio.allow.click();
    await expect(studio.call('browser_js_eval')).toContainText('running');
    await page.reload();
    await studio.settled();
    await expect(studio.call('browser_js_eval')).toContainText('interrupted');
    const answer = bench.model.requestsFor(question)[1]?.messages.at(-1);
    expect(answer?.content).toContain('Error (interrupted)');
  });
});

test.describe('server restart', () => {
  test('[R3] [R13] during a call: the result resumes the graph from its checkpoint', async ({ studio, bench }) => {
    const question = prompt('Compute');
    bench.model.script(question, [{ text: 'Let me see.', calls: evalCall('40 + 2') }, { text: 'It is 42.' }]);
    // Preloaded views may be requested while the server is down.
    studio.expectedProblems.push('Failed to load resource');
    await studio.open();
    await studio.say(question);
    await expect(studio.allow).toBeVisible();
    await bench.restartStudio();
    await studio.allow.click();
    await studio.settled();
    await expect(studio.answers).toHaveCount(1);
    await expect(studio.answers).toContainText('It is 42.');
    expect(bench.log()).toContain('"kind":"resume"');
  });

  test('[R9] a message that is sent offline is sent once, when the device is online again', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('Are you there?');
    bench.model.script(question, [{ text: 'Here I am.' }]);
    studio.expectedProblems.push('Failed to load resource', 'ERR_INTERNET_DISCONNECTED');
    await studio.open();
    // The code that shows messages is loaded by then.
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await studio.say(question);
    await expect(studio.answers.getByRole('status')).toHaveText(
      'You’re offline. The answer will continue when you’re back online.',
    );
    await page.context().setOffline(false);
    await studio.settled();
    await expect(studio.answers).toContainText('Here I am.');
    expect(bench.model.requestsFor(question)).toHaveLength(1);
  });

  test('[R9] during streaming: the step is repeated without a click, and the answer says so', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('Talk');
    const first = { text: 'First half and second half.', hold: { after: 10, gate: `${question} never` } };
    bench.model.script(question, [{ calls: readCall('/a.txt') }, [first, first, { text: 'The whole answer.' }]]);
    studio.expectedProblems.push('Failed to load resource', 'ERR_CONNECTION_REFUSED');
    await studio.open({ files: { '/a.txt': 'alpha\n' } });
    await studio.say(question);
    await expect(studio.answers).toContainText('First');
    await bench.restartStudio();
    // Text that had arrived stays until the repetition begins.
    await expect(studio.answers).toContainText('First');
    const repeated = studio.answers.getByText('The studio’s server lost this step before it was finished');
    await expect(repeated).toContainText('so the step was repeated.', { timeout: 20_000 });
    await bench.restartStudio();
    await studio.settled();
    await expect(studio.answers).toContainText('The whole answer.');
    await expect(studio.answers).not.toContainText('First');
    await expect(repeated).toContainText('so the step was repeated 2 times.');
    await expect(studio.call('read_file')).toHaveCount(1);
    expect(bench.model.requestsFor(question)).toHaveLength(4);
    await page.reload();
    await expect(repeated).toHaveCount(1);
  });
});

/** A second tab on the same thread. */
async function openBeside(studio: StudioPage, context: BrowserContext): Promise<StudioPage> {
  const second = new StudioPage(await context.newPage());
  await second.page.goto(studio.page.url());
  return second;
}

test.describe('second tab', () => {
  test('[R4] shows what the first one does, runs nothing, and can take over', async ({ studio, bench, context }) => {
    const question = prompt('Compute');
    bench.model.script(question, [{ calls: evalCall('1 + 1') }, { text: 'It is 2.' }]);
    await studio.open(SCRIPTED);
    await studio.say(question);
    await expect(studio.allow).toBeVisible();
    const second = await openBeside(studio, context);
    await expect(second.page.getByText('active in another tab')).toBeVisible();
    await expect(second.allow).toBeVisible();
    await second.allow.click();
    await second.settled();
    await expect(second.answers).toContainText('It is 2.');
    await expect(studio.answers).toContainText('It is 2.');
    await expect(studio.page.getByRole('button', { name: 'Continue here' })).toBeVisible();
    const results = (await second.turns())[0]?.parts.filter((part) => part.type === 'tool-call');
    expect(results).toHaveLength(1);
    expect(bench.model.requestsFor(question)).toHaveLength(2);
  });

  test('[R4] waits for a tool that runs in the first one, and continues from its result', async ({
    studio,
    bench,
    context,
  }) => {
    const question = prompt('Wait');
    bench.model.script(question, [
      { calls: evalCall('await new Promise((r) => setTimeout(r, 2500)); "slept"') },
      { text: 'Awake.' },
    ]);
    await studio.open(SCRIPTED);
    await studio.say(question);
    await studio.allow.click();
    await expect(studio.call('browser_js_eval')).toContainText('running');
    const second = await openBeside(studio, context);
    await second.page.getByRole('button', { name: 'Continue here' }).click();
    await second.settled();
    await expect(second.call('browser_js_eval')).toContainText('done');
    expect(bench.model.requestsFor(question)[1]?.messages.at(-1)?.content).toBe('slept');
  });

  test('[R4] resumes the thread when the first one is closed', async ({ studio, bench, context }) => {
    const question = prompt('Compute');
    bench.model.script(question, [{ calls: evalCall('2 + 2') }, { text: 'It is 4.' }]);
    await studio.open(SCRIPTED);
    await studio.say(question);
    await expect(studio.allow).toBeVisible();
    const second = await openBeside(studio, context);
    await expect(second.page.getByText('active in another tab')).toBeVisible();
    await studio.page.close();
    await expect(second.page.getByText('active in another tab')).toBeHidden();
    await second.allow.click();
    await second.settled();
    await expect(second.answers).toContainText('It is 4.');
  });
});

/** Suspends a page when it claims a call, like a laptop whose lid is closed, until `wake` is called in it. */
function fallAsleepAtClaim(): void {
  let isAsleep = false;
  const later: (() => void)[] = [];
  const sleepless =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args) => {
      if (isAsleep) later.push(() => act(...args));
      else act(...args);
    };
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (value, key) {
    if (this.name === 'calls' && value.result === undefined) isAsleep = true;
    return put.call(this, value, key);
  };
  // Messages that the page sends to its workers. React's scheduler sends itself only null.
  const post = MessagePort.prototype.postMessage as (this: MessagePort, ...args: unknown[]) => void;
  MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
    if (args[0] === null) post.apply(this, args);
    else sleepless(() => post.apply(this, args))();
  };
  const channel = Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, 'onmessage');
  Object.defineProperty(BroadcastChannel.prototype, 'onmessage', {
    ...channel,
    set(this: BroadcastChannel, listener: (event: MessageEvent) => void) {
      channel?.set?.call(this, sleepless(listener));
    },
  });
  Object.assign(window, {
    wake() {
      isAsleep = false;
      for (const act of later.splice(0)) act();
    },
    isAsleep: () => isAsleep,
  });
}

test('[R3] a tab that was suspended between claim and commit changes nothing when it wakes up', async ({
  studio,
  bench,
  page,
  context,
}) => {
  const [question, next] = [prompt('Double it'), prompt('What does it say?')];
  const edit = { path: '/a.txt', find: 'x', replace: 'xx', replaceAll: true };
  bench.model.script(question, [
    { calls: [{ name: 'edit_file', arguments: JSON.stringify(edit) }] },
    { text: 'It is doubled.' },
  ]);
  bench.model.script(next, [{ calls: readCall('/a.txt') }, { text: 'It still says xx.' }]);
  await page.addInitScript(fallAsleepAtClaim);
  await studio.open({ ...SCRIPTED, files: { '/a.txt': 'x' } });
  await studio.say(question);
  await expect.poll(() => page.evaluate(() => (window as unknown as { isAsleep(): boolean }).isAsleep())).toBe(true);
  const second = await openBeside(studio, context);
  await second.page.getByRole('button', { name: 'Continue here' }).click();
  await second.settled();
  await expect(second.answers).toContainText('It is doubled.');
  expect((await second.workspace()).get('/a.txt')).toBe('xx');
  await page.evaluate(() => (window as unknown as { wake(): void }).wake());
  await expect(studio.answers).toContainText('It is doubled.');
  // If this tab still did something with the call, it would do so before anything else.
  await page.getByRole('button', { name: 'Continue here' }).click();
  await studio.say(next);
  await expect(studio.answers.last()).toContainText('It still says xx.');
  expect(bench.model.requestsFor(next)[1]?.messages.at(-1)?.content).toBe('xx');
  expect((await second.workspace()).get('/a.txt')).toBe('xx');
  await expect(second.call('edit_file')).toHaveAttribute('data-state', 'done');
});

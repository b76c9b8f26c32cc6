// More than 400 lines: every way in which a run goes on after an interruption, each in a real browser.
import type { BrowserContext } from '@playwright/test';
import { PROBLEM_TYPE } from '#lib/wire/problem.ts';
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

  test('[R9] with the machine asleep for a day: the finished run is rebuilt from the checkpoint', async ({
    studio,
    bench,
    page,
  }) => {
    const question = prompt('Say something');
    bench.model.script(question, [{ text: 'Something long enough to be cut.', hold: { after: 10, gate: question } }]);
    await studio.open(SCRIPTED);
    await studio.say(question);
    await expect(studio.answers).toContainText('Something');
    const url = page.url();
    const { threadId } = studio;
    await page.goto('about:blank');
    bench.model.open(question);
    const finished = (line: string) => line.includes(threadId) && line.includes('run finished');
    await expect.poll(() => bench.log().split('\n').some(finished)).toBe(true);
    // A new process does not know any run: only the checkpoint is left.
    studio.expectedProblems.push('Failed to load resource');
    await bench.restartStudio();
    await page.goto(url);
    await studio.settled();
    await expect(studio.answers).toContainText('Something long enough to be cut.');
    expect(bench.model.requestsFor(question)).toHaveLength(1);
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

  test('[R13] while a call is allowed: it runs when the server is back', async ({ studio, bench }) => {
    const question = prompt('Compute');
    bench.model.script(question, [{ calls: evalCall('6 * 7') }, { text: 'It is 42.' }]);
    studio.expectedProblems.push('Failed to load resource', 'ERR_CONNECTION_REFUSED', 'frame-src');
    await studio.open();
    await studio.say(question);
    await expect(studio.allow).toBeVisible();
    await bench.stopStudio('SIGKILL');
    await studio.allow.click();
    await expect(studio.call('browser_js_eval')).toContainText('running');
    await bench.startStudio();
    await studio.settled();
    await expect(studio.call('browser_js_eval')).toContainText('done');
    await expect(studio.answers).toContainText('It is 42.');
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

  test('[R9] behind a proxy: its errors are a lost connection, and the answer goes on', async ({
    studio,
    bench,
    page,
  }) => {
    const [question, next] = [prompt('Talk'), prompt('And now?')];
    const text = 'First half and second half.';
    bench.model.script(question, [{ text, hold: { after: 10, gate: question } }]);
    bench.model.script(next, [{ text: 'Now this.' }]);
    studio.expectedProblems.push('Failed to load resource');
    await studio.open();
    let isDown = false;
    const statuses = [502, 503, 504, 500];
    let failures = 0;
    await page.route('**/api/chat**', (route) =>
      isDown
        ? route.fulfill({
            status: statuses[failures++ % 4] ?? 502,
            contentType: 'text/html',
            body: '<h1>Bad gateway</h1>',
          })
        : route.continue(),
    );
    isDown = true;
    await studio.say(question);
    await expect.poll(() => failures).toBeGreaterThan(2);
    await expect(studio.answers.getByRole('status')).toContainText('server isn’t responding. Reconnecting…');
    isDown = false;
    await expect(studio.answers).toContainText('First');
    bench.model.open(question);
    await studio.settled();
    await expect(studio.answers).toContainText(text);
    expect(bench.model.requestsFor(question)).toHaveLength(1);
    isDown = true;
    await studio.say(next);
    await expect.poll(() => failures).toBeGreaterThan(5);
    isDown = false;
    await studio.settled(2);
    await expect(studio.answers.last()).toContainText('Now this.');
    expect(bench.model.requestsFor(next)).toHaveLength(1);
  });

  test('[R9] on SIGTERM: the answer ends, a new message waits for the next process, and balancers are told', async ({
    studio,
    startBench,
    page,
  }) => {
    const own = await startBench({ DRAIN_SECONDS: '30' });
    const [question, next] = [prompt('Talk'), prompt('And now?')];
    const text = 'First half and second half.';
    own.model.script(question, [{ text, hold: { after: 10, gate: question } }]);
    own.model.script(next, [{ text: 'Now this.' }]);
    studio.expectedProblems.push('Failed to load resource', 'ERR_CONNECTION_REFUSED');
    await studio.open({ url: own.url });
    await studio.say(question);
    await expect(studio.answers).toContainText('First');
    const probe = async (path: string) => {
      // As balancers ask: by address.
      const response = await fetch(own.url.replace('localhost', '127.0.0.1') + path);
      return [response.status, await response.text()];
    };
    expect(await probe('/readyz')).toEqual([200, 'ready\n']);
    const stopped = own.stopStudio();
    await expect.poll(() => probe('/readyz')).toEqual([503, 'draining\n']);
    expect(await probe('/livez')).toEqual([200, 'ok\n']);
    own.model.open(question);
    await studio.settled();
    await expect(studio.answers).toContainText(text);
    await studio.say(next);
    await expect(studio.answers.getByRole('status')).toContainText('server isn’t responding. Reconnecting…');
    await stopped;
    await own.startStudio();
    await studio.settled(2);
    await expect(studio.answers.last()).toContainText('Now this.');
    expect(own.model.requestsFor(question)).toHaveLength(1);
    expect(own.model.requestsFor(next)).toHaveLength(1);
    await expect(page.getByText('so the step was repeated')).toHaveCount(0);
  });

  test('[R9] on SIGTERM with an answer that takes too long: its step is repeated by the next process', async ({
    studio,
    startBench,
  }) => {
    const own = await startBench({ DRAIN_SECONDS: '1' });
    const question = prompt('Talk');
    const first = { text: 'First half and second half.', hold: { after: 10, gate: `${question} never` } };
    own.model.script(question, [[first, { text: 'The whole answer.' }]]);
    studio.expectedProblems.push(
      'Failed to load resource',
      'ERR_CONNECTION_REFUSED',
      'ERR_INCOMPLETE_CHUNKED_ENCODING',
    );
    await studio.open({ url: own.url });
    await studio.say(question);
    await expect(studio.answers).toContainText('First');
    await own.stopStudio();
    await own.startStudio();
    await studio.settled();
    await expect(studio.answers).toContainText('The whole answer.');
    await expect(studio.answers).toContainText('so the step was repeated.');
  });

  test('[R11] [R13] with the checkpoint lost: the transcript is sent, and the same message continues', async ({
    studio,
    bench,
  }) => {
    const question = prompt('Compute');
    bench.model.script(question, [{ text: 'One moment.', calls: evalCall('21 * 2') }, { text: 'It is 42.' }]);
    studio.expectedProblems.push('Failed to load resource');
    await studio.open();
    await studio.say(question);
    await expect(studio.allow).toBeVisible();
    await bench.stopStudio();
    bench.forgetCheckpoints();
    await bench.startStudio();
    await studio.allow.click();
    await studio.settled();
    await expect(studio.answers).toHaveCount(1);
    await expect(studio.answers).toContainText('One moment.');
    await expect(studio.answers).toContainText('It is 42.');
    expect(bench.log()).toContain('transcript-needed');
  });

  test('[R12] with everything lost: the catalogue and then the transcript are sent, each once', async ({
    studio,
    page,
    startBench,
  }) => {
    // Small enough that the two together would be refused.
    const own = await startBench({ REQUEST_MAX_BYTES: '20000' });
    const [first, second] = [prompt('Say much'), prompt('And now?')];
    const much = 'many words '.repeat(1_000);
    own.model.script(first, [{ text: much }]);
    own.model.script(second, [{ text: 'Now this.' }]);
    studio.expectedProblems.push('Failed to load resource');
    await studio.open({ url: own.url });
    await studio.say(first);
    await studio.settled();
    await own.stopStudio('SIGKILL');
    own.forgetCheckpoints();
    await own.startStudio();
    const posts: { path: string; status: number; isLarge: boolean; isQuestion: boolean }[] = [];
    page.on('response', (response) => {
      if (response.request().method() !== 'POST') return;
      const { pathname: path } = new URL(response.url());
      const isLarge = (response.request().postData()?.length ?? 0) > much.length;
      const isQuestion = response.headers()['content-type'] === PROBLEM_TYPE;
      if (['/api/chat', '/api/catalogues'].includes(path))
        posts.push({ path, status: response.status(), isLarge, isQuestion });
    });
    await studio.say(second);
    await studio.settled();
    await expect(studio.answers.last()).toContainText('Now this.');
    expect(posts).toEqual([
      { path: '/api/chat', status: 200, isLarge: false, isQuestion: true },
      { path: '/api/catalogues', status: 204, isLarge: true, isQuestion: false },
      { path: '/api/chat', status: 200, isLarge: false, isQuestion: true },
      { path: '/api/chat', status: 200, isLarge: true, isQuestion: false },
    ]);
  });

  test('[R11] a thread that the server has lost continues with its whole history', async ({ studio, bench, page }) => {
    const [first, second] = [prompt('My name is Ada.'), prompt('What is my name?')];
    bench.model.script(first, [{ text: 'Hello Ada.' }]);
    bench.model.script(second, [{ text: 'Ada.' }]);
    studio.expectedProblems.push('Failed to load resource');
    await studio.open();
    await studio.say(first);
    await studio.settled();
    await page.goto('about:blank');
    await bench.stopStudio();
    bench.forgetCheckpoints();
    await bench.startStudio();
    await page.goBack();
    await studio.say(second);
    await studio.settled(2);
    const sent = bench.model.requestsFor(second)[0]?.messages.map(({ role }) => role);
    expect(sent).toEqual(['system', 'user', 'assistant', 'user']);
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

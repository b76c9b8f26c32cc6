import { PROBLEM_TYPE } from '#lib/wire/problem.ts';
import { startPostgres } from '#scripts/lib/postgres.ts';
import { expect, test } from '../lib/fixtures.ts';
import { evalCall, prompt } from '../lib/prompt.ts';
import { expectRestartInCall } from '../lib/restart-in-call.ts';

/** Chosen at another time: nothing is asked while the server is down, so the page need not have been idle before. */
const SCRIPTED = { settings: { defaultModel: 'scripted' } };

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
  studio.expectedProblems.push('Failed to load resource', 'ERR_CONNECTION_REFUSED', 'ERR_INCOMPLETE_CHUNKED_ENCODING');
  await studio.open({ url: own.url });
  await studio.say(question);
  await expect(studio.answers).toContainText('First');
  await own.stopStudio();
  await own.startStudio();
  await studio.settled();
  await expect(studio.answers).toContainText('The whole answer.');
  await expect(studio.answers).toContainText('so the step was repeated.');
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

test('[R3] [R13] a restart during a call with checkpoints in PostgreSQL', async ({ studio, startBench }) => {
  const postgres = await startPostgres();
  test.skip(postgres === undefined, 'no PostgreSQL here; the unit tests run its saver on PGlite');
  await expectRestartInCall(studio, await startBench({ DATABASE_URL: postgres?.url ?? '' }));
  await postgres?.stop();
});

test('[R3] [R13] a restart during a call with checkpoints in memory', async ({ studio, startBench }) => {
  await expectRestartInCall(studio, await startBench({ DATABASE_URL: 'memory:' }));
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

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, MissingProgramError, startCluster } from '#scripts/lib/cluster.ts';
import { expect, test } from '../lib/fixtures.ts';
import { ScriptedModelServer } from '../lib/model-server.ts';
import { modelsFile, SECRET } from '../lib/models-file.ts';
import { evalCall, prompt, readCall } from '../lib/prompt.ts';

const SCRIPTED = { settings: { defaultModel: 'scripted' } };

let model: ScriptedModelServer;
let cluster: Cluster | undefined;
const folder = mkdtempSync(join(tmpdir(), 'roundtrip-cluster-'));

test.describe.configure({ mode: 'serial', timeout: 120_000 });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  model = await ScriptedModelServer.start();
  writeFileSync(join(folder, 'models.yaml'), modelsFile(model.url));
  cluster = await startCluster({
    env: {
      MODELS_FILE: join(folder, 'models.yaml'),
      DISCOVER_LOCAL: 'false',
      SCRIPTED_KEY: SECRET,
      AGENT_MAX_RETRIES: '0',
      DRAIN_SECONDS: '2',
    },
  }).catch((error: unknown) => {
    // CI has all of them.
    if (error instanceof MissingProgramError && process.env.CI === undefined) return undefined;
    throw error;
  });
});

test.beforeEach(({ studio }) => {
  test.skip(cluster === undefined, 'PostgreSQL, Redis, or HAProxy is not installed.');
  studio.expectedProblems.push('Failed to load resource', 'ERR_');
});

// The page ends before the cluster does, so that its requests do not fail.
test.afterEach(({ page }) => page.close());

test.afterAll(async () => {
  await cluster?.stop();
  await model.stop();
  rmSync(folder, { recursive: true, force: true });
});

const running = (): Cluster => {
  if (cluster === undefined) throw new Error('There is no cluster.');
  return cluster;
};

/** The process that has started the latest run of a thread. */
function ownerOf(threadId: string) {
  const starts = running().members.map((member) => {
    const lines = member.log().split('\n');
    const line = lines.findLast((text) => text.includes(threadId) && text.includes('run started'));
    return { member, time: line === undefined ? '' : (JSON.parse(line) as { time: string }).time };
  });
  const latest = starts.toSorted((one, other) => one.time.localeCompare(other.time)).at(-1);
  if (latest === undefined || latest.time === '') throw new Error('Nobody runs the thread.');
  return latest.member;
}

const held = (text: string, gate: string) => ({ text, hold: { after: 10, gate } });

test('turns with calls go from process to process', async ({ studio }) => {
  await studio.open({ ...SCRIPTED, url: running().url, files: { '/a.txt': 'alpha\n' } });
  for (let n = 0; n < 6; n++) {
    const question = prompt(`Read it, please (${n})`);
    model.script(question, [{ calls: readCall('/a.txt') }, { text: `It says alpha (${n}).` }]);
    await studio.say(question);
    await studio.settled(n + 1);
    await expect(studio.answers.last()).toContainText(`It says alpha (${n}).`);
    expect(model.requestsFor(question)).toHaveLength(2);
  }
  const used = running().members.filter((member) => member.log().includes(studio.threadId));
  expect(used.length).toBeGreaterThan(1);
});

test('[R9] a reload gets the rest of an answer, whichever process it asks', async ({ studio, page }) => {
  const question = prompt('Count');
  const text = Array.from({ length: 60 }, (_, n) => `line ${n}`).join(', ');
  model.script(question, [held(text, question)]);
  await studio.open({ ...SCRIPTED, url: running().url });
  await studio.say(question);
  await expect(studio.answers).toContainText('line');
  for (let n = 0; n < 4; n++) {
    await page.reload();
    await expect(studio.answers).toContainText('line');
  }
  model.open(question);
  await studio.settled();
  const [turn] = await studio.turns();
  expect(turn?.parts.filter((part) => part.type === 'text').map((part) => part.text)).toEqual([text]);
  expect(model.requestsFor(question)).toHaveLength(1);
});

test('[R9] when the process that answers is killed, another one goes on without a click', async ({ studio }) => {
  const question = prompt('Compute and tell');
  model.script(question, [
    { calls: evalCall('6 * 7') },
    [held('It is, as far as I can', `${question} never`), { text: 'It is 42.' }],
  ]);
  await studio.open({ ...SCRIPTED, url: running().url });
  await studio.say(question);
  await studio.allow.click();
  await expect(studio.answers).toContainText('It is, as');
  const owner = ownerOf(studio.threadId);
  const killedAt = Date.now();
  await owner.stop();
  await expect(studio.answers).toContainText('It is 42.', { timeout: 30_000 });
  expect(Date.now() - killedAt).toBeLessThan(20_000);
  await studio.settled();
  await expect(studio.call('browser_js_eval')).toHaveCount(1);
  await expect(studio.answers).toContainText('so the step was repeated.');
  expect(model.requestsFor(question)).toHaveLength(3);
  await owner.start();
});

test('[R9] a process that hangs and comes back changes nothing', async ({ studio }) => {
  const question = prompt('Tell a story');
  model.script(question, [[held('The old story is', question), { text: 'The new story.' }]]);
  await studio.open({ ...SCRIPTED, url: running().url });
  await studio.say(question);
  await expect(studio.answers).toContainText('The old');
  const owner = ownerOf(studio.threadId);
  owner.signal('SIGSTOP');
  await expect(studio.answers).toContainText('The new story.', { timeout: 60_000 });
  await studio.settled();
  owner.signal('SIGCONT');
  model.open(question);
  await expect.poll(() => owner.log(), { timeout: 20_000 }).toContain('run abandoned');
  const next = prompt('What did you tell?');
  model.script(next, [{ text: 'The new one.' }]);
  await studio.say(next);
  await studio.settled(2);
  const sent = JSON.stringify(model.requestsFor(next)[0]?.messages);
  expect(sent).toContain('The new story.');
  expect(sent).not.toContain('The old story');
});

test('[R10] Stop ends an answer, whichever process runs it', async ({ studio, page }) => {
  await studio.open({ ...SCRIPTED, url: running().url });
  for (let n = 0; n < 4; n++) {
    const question = prompt(`Talk for long (${n})`);
    model.script(question, [held(`Tale ${n} begins, and goes on`, `${question} never`)]);
    await studio.say(question);
    await expect(studio.answers.last()).toContainText(`Tale ${n}`);
    const owner = ownerOf(studio.threadId);
    await page.getByRole('button', { name: 'Stop' }).click();
    await studio.settled(n + 1);
    await expect.poll(() => owner.log()).toMatch(new RegExp(`${studio.threadId}.*run canceled`));
  }
});

test('an answer outlives a Redis that restarts empty', async ({ studio, page }) => {
  const question = prompt('Say much');
  const text = Array.from({ length: 60 }, (_, n) => `word ${n}`).join(', ');
  model.script(question, [held(text, question)]);
  await studio.open({ ...SCRIPTED, url: running().url });
  await studio.say(question);
  await expect(studio.answers).toContainText('word');
  await page.reload();
  await expect(studio.answers).toContainText('word');
  await running().redis.restart();
  model.open(question);
  await studio.settled();
  await expect(studio.answers).toContainText('word 59');
  expect(model.requestsFor(question)).toHaveLength(1);
});

test('while all processes are replaced one after the other, answers go on', async ({ studio }) => {
  await studio.open({ ...SCRIPTED, url: running().url });
  for (const [n, member] of running().members.entries()) {
    const question = prompt(`Hello (${n})`);
    model.script(question, [[held('Hello and welcome to', question), { text: 'Hello and welcome.' }]]);
    await studio.say(question);
    await expect(studio.answers.last()).toContainText('Hello');
    const stopped = member.stop('SIGTERM');
    await stopped;
    model.open(question);
    await studio.settled(n + 1);
    await expect(studio.answers.last()).toContainText('Hello and welcome');
    await member.start();
  }
});

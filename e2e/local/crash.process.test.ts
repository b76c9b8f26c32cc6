import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { CliBench, ended } from '../lib/cli-bench.ts';
import { killTurns } from '../lib/killed-turns.ts';

const benches: CliBench[] = [];
async function newBench(): Promise<CliBench> {
  const bench = await CliBench.start();
  benches.push(bench);
  return bench;
}
afterEach(() => Promise.all(benches.splice(0).map((bench) => bench.stop())));

const sh = (command: string) => ({ name: 'execute_bash', arguments: JSON.stringify({ command }) });

test('[R1] [R3] turns that are killed lose nothing, run nothing twice, and can be undone', {
  timeout: 120_000,
}, async () => {
  await killTurns(await newBench(), { seed: 3, kills: 4 });
});

test('a half line at the end of a session is dropped and told', async () => {
  const bench = await newBench();
  bench.model.script('One', [{ text: 'First.' }]);
  bench.model.script('Two', [{ text: 'Second.' }]);
  await bench.run(['run', 'One']);
  const [name = ''] = bench.sessions();
  const path = join(bench.folder, '.roundtrip/sessions', name);
  appendFileSync(path, '{"role":"assistant","content":"Half');
  const { code, stderr } = await bench.run(['run', 'Two', '--session', 'last']);
  expect(stderr).toContain('was cut off when it was written, and was dropped');
  expect(code).toBe(0);
  expect(bench.session(name).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant']);
});

test('a line that is broken in the middle of a session is not passed over', async () => {
  const bench = await newBench();
  bench.write({
    '.roundtrip/sessions/talk.jsonl':
      '{"role":"user","content":"One"}\n{broken\n{"role":"assistant","content":"First."}\n',
  });
  const { code, stderr } = await bench.run(['run', 'Two', '--session', 'talk.jsonl']);
  expect(stderr).toContain('line 2 is not valid JSON');
  expect(code).toBe(2);
});

test('two processes cannot use one session at once', async () => {
  const bench = await newBench();
  bench.model.script('Wait', [{ text: 'Slow answer', hold: { after: 4, gate: 'go' } }]);
  const path = join(bench.folder, '.roundtrip/sessions/talk.jsonl');
  const child = bench.start(['run', 'Wait', '--session', path]);
  const end = ended(child);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  const { code, stderr } = await bench.run(['run', 'Other', '--session', path]);
  expect(stderr).toContain('is in use by process');
  expect(code).toBe(2);
  bench.model.open('go');
  expect((await end).code).toBe(0);
  // The lock of a process that was killed counts for nothing.
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: 2 ** 22 - 1, began: '1' }));
  bench.model.script('Again', [{ text: 'Yes.' }]);
  expect((await bench.run(['run', 'Again', '--session', path])).code).toBe(0);
});

test('open calls run only where their turn was begun, whatever the folder says', async () => {
  const bench = await newBench();
  bench.write({ 'log.txt': '' });
  bench.model.script('Run', [
    { calls: [sh('echo one >> log.txt; sleep 5'), sh('echo two >> log.txt')] },
    { text: 'Ran.' },
  ]);
  const args = ['run', '--session', 'talk.jsonl', '--yes'];
  const child = bench.start([...args, 'Run', '--json']);
  const end = ended(child);
  await vi.waitFor(() => expect(bench.read('log.txt')).toBe('one\n'), { timeout: 15_000, interval: 20 });
  child.kill('SIGKILL');
  await end;
  const [own, kept] = [join(bench.folder, '.roundtrip'), join(bench.outside, 'kept')];
  cpSync(own, kept, { recursive: true });
  // On another machine, the session and its journal are as they are here.
  const elsewhere = { XDG_STATE_HOME: join(bench.outside, 'elsewhere') };
  expect((await bench.run(args, { env: elsewhere })).code).toBe(0);
  expect(bench.read('log.txt')).toBe('one\n');
  rmSync(own, { recursive: true });
  cpSync(kept, own, { recursive: true });
  expect((await bench.run(args)).code).toBe(0);
  expect(bench.read('log.txt')).toBe('one\ntwo\n');
});

test('a new message after a crash settles the calls of the turn before, and runs none of them', async () => {
  const bench = await newBench();
  bench.write({ 'log.txt': '' });
  bench.model.script('Run', [
    { calls: [sh('echo one >> log.txt; sleep 5'), sh('echo two >> log.txt')] },
    { text: 'Ran.' },
  ]);
  bench.model.script('Next', [{ text: 'Fine.' }]);
  const path = join(bench.folder, '.roundtrip/sessions/talk.jsonl');
  const child = bench.start(['run', 'Run', '--session', path, '--yes', '--json']);
  const end = ended(child);
  await new Promise<void>((resolve) => {
    const poll = setInterval(() => {
      if (bench.read('log.txt') !== 'one\n') return;
      clearInterval(poll);
      resolve();
    }, 20);
  });
  child.kill('SIGKILL');
  await end;
  expect((await bench.run(['run', 'Next', '--session', path, '--yes'])).code).toBe(0);
  expect(bench.read('log.txt')).toBe('one\n');
  const sent = bench.model.requestsFor('Next')[0]?.messages.filter(({ role }) => role === 'tool');
  expect(sent?.map(({ content }) => content)).toEqual([
    expect.stringContaining('interrupted while it ran'),
    expect.stringContaining('Not run: the turn was stopped first.'),
  ]);
});

test('pending calls of a session from elsewhere do not run', async () => {
  const bench = await newBench();
  bench.model.script('Run', [{ calls: [sh('touch ran')] }, { text: 'Not run.' }]);
  const tool_calls = [{ id: 'c1', type: 'function', function: sh('touch ran') }];
  const lines = [
    { role: 'user', content: 'Run' },
    { role: 'assistant', content: null, tool_calls, roundtrip: { turn: 'foreign' } },
  ];
  const path = join(bench.outside, 'foreign.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { code, stderr } = await bench.run(['run', '--session', path, '--yes']);
  expect(code, stderr).toBe(0);
  expect(bench.read('ran')).toBeUndefined();
  expect(bench.model.requestsFor('Run')[0]?.messages.at(-1)?.content).toContain('Not run');
});

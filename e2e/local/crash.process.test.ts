import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { CliBench, ended } from '../lib/cli-bench.ts';

const benches: CliBench[] = [];
async function newBench(): Promise<CliBench> {
  const bench = await CliBench.start();
  benches.push(bench);
  return bench;
}
afterEach(() => Promise.all(benches.splice(0).map((bench) => bench.stop())));

const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });
const sh = (command: string) => call('execute_bash', { command });

/** The replies of a turn that writes, runs, edits, moves and deletes. `mark`: occurs in nothing else. */
const busyTurn = (mark: string) => [
  { calls: [call('write_file', { path: `/${mark}.txt`, content: `${mark} one\n` }), sh(`echo ${mark}-a >> log.txt`)] },
  {
    text: 'Going on.',
    calls: [
      sh(`echo ${mark}-b >> log.txt; sleep 0.1; echo changed >> kept.txt`),
      call('edit_file', { path: `/${mark}.txt`, find: 'one', replace: 'two' }),
    ],
  },
  {
    calls: [
      call('make_directory', { path: `/${mark}` }),
      call('move_path', { from: `/${mark}.txt`, to: `/${mark}/moved.txt` }),
      call('delete_path', { path: '/gone.txt' }),
    ],
  },
  { calls: [call('list_directory', { path: '/' })] },
  { text: `Done with ${mark}.` },
];

/** Starts a turn and kills it after a number of events, or when it has ended by itself. Resolves with whether it was killed. */
async function killAfter(bench: CliBench, args: readonly string[], events: number, delayMs: number): Promise<boolean> {
  const child = bench.start([...args, '--json', '--yes']);
  let seen = 0;
  const end = ended(child);
  child.stdout?.on('data', (data: Buffer) => {
    const before = seen;
    seen += data.toString().split('\n').length - 1;
    if (before < events && seen >= events) setTimeout(() => child.kill('SIGKILL'), delayMs);
  });
  return (await end).code === null;
}

interface Line {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string } }[];
  tool_call_id?: string;
}

/** What is wrong with a session: calls without a result, or with several. */
function faultsOf(lines: readonly Line[]): string[] {
  const faults: string[] = [];
  const results = lines.filter(({ role }) => role === 'tool').map((line) => line.tool_call_id);
  for (const { id, function: fn } of lines.flatMap((line) => line.tool_calls ?? [])) {
    const count = results.filter((result) => result === id).length;
    if (count !== 1) faults.push(`${fn.name} ${id} has ${count} results`);
  }
  return faults;
}

const KILLS = 25;

describe('SIGKILL in mid-turn', () => {
  test.concurrent.for([1, 2])(
    `[R1] [R3] ${KILLS} times: nothing is lost, nothing runs twice, and undo still works (%i)`,
    { timeout: 240_000 },
    async (seed, { expect, onTestFinished }) => {
      const bench = await CliBench.start();
      onTestFinished(() => bench.stop());
      let random = seed * 7919;
      const next = (below: number) => {
        random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
        return random % below;
      };
      bench.write({ 'kept.txt': 'kept\n', 'gone.txt': 'gone\n', 'log.txt': '' });
      let killed = 0;
      for (let round = 0; killed < KILLS; round++) {
        const mark = `m${round}`;
        bench.model.script(mark, busyTurn(mark));
        const before = bench.files();
        const session = `${mark}.jsonl`;
        const path = join(bench.folder, '.roundtrip/sessions', session);
        if (!(await killAfter(bench, ['run', mark, '--session', path], 1 + next(22), next(60)))) continue;
        killed++;
        // Who was killed before the message was stored has to say it again.
        const isStored = existsSync(path) && /"role":"user".*\n/.test(readFileSync(path, 'utf8'));
        const words = isStored ? [] : [mark];
        const again = ['run', ...words, '--session', path];
        // Some are killed again while they recover.
        if (isStored && next(4) === 0 && (await killAfter(bench, again, 1 + next(8), next(40)))) killed++;
        const { code, stdout, stderr } = await bench.run([...again, '--yes']);
        const what = `${mark}: ${stdout} ${stderr}`;
        expect(code, what).toBe(0);
        expect(stdout, what).toContain(`Done with ${mark}.`);
        const lines = bench.session(session) as unknown as Line[];
        expect(faultsOf(lines), what).toEqual([]);
        expect(lines.filter(({ role }) => role === 'user')).toHaveLength(1);
        const after = bench.files();
        expect(after.get(`/${mark}/moved.txt`), what).toBe(`${mark} two\n`);
        expect(after.has(`/${mark}.txt`), what).toBe(false);
        expect(after.has('/gone.txt'), what).toBe(false);
        const log = (after.get('/log.txt') ?? '').split('\n');
        for (const part of ['a', 'b']) {
          const ran = log.filter((line) => line === `${mark}-${part}`).length;
          const said = lines.find((line) => line.content?.includes('interrupted while it ran'));
          expect(ran, what).toBeLessThanOrEqual(1);
          // Only a command that was interrupted may not have run.
          if (ran === 0) expect(said, what).toBeDefined();
        }
        const undone = await bench.run(['undo', '--yes']);
        expect(undone.code, `${what}\n${undone.stderr}`).toBe(0);
        expect(bench.files(), what).toEqual(before);
        expect(
          readdirSync(join(bench.folder, '.roundtrip')).filter((name) => name === 'staging'),
          what,
        ).toEqual([]);
      }
    },
  );
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

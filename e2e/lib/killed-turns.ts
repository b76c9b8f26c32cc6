import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type CliBench, ended } from './cli-bench.ts';

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

/** Returns the faults of a session: calls without a result, or with several. */
function faultsOf(lines: readonly Line[]): string[] {
  const faults: string[] = [];
  const results = lines.filter(({ role }) => role === 'tool').map((line) => line.tool_call_id);
  for (const { id, function: fn } of lines.flatMap((line) => line.tool_calls ?? [])) {
    const count = results.filter((result) => result === id).length;
    if (count !== 1) faults.push(`${fn.name} ${id} has ${count} results`);
  }
  return faults;
}

/**
 * Kills turns of the command line with SIGKILL, each at a place that follows from the seed, and takes each up again: nothing
 * is lost, nothing runs twice, and undo still works.
 */
export async function killTurns(bench: CliBench, { seed, kills }: { seed: number; kills: number }): Promise<void> {
  let random = seed * 7919;
  const next = (below: number) => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return random % below;
  };
  bench.write({ 'kept.txt': 'kept\n', 'gone.txt': 'gone\n', 'log.txt': '' });
  let killed = 0;
  for (let round = 0; killed < kills; round++) {
    const mark = `m${round}`;
    bench.model.script(mark, busyTurn(mark));
    const before = bench.files();
    const session = `${mark}.jsonl`;
    const path = join(bench.folder, '.roundtrip/sessions', session);
    if (!(await killAfter(bench, ['run', mark, '--session', path], 1 + next(22), next(60)))) continue;
    killed++;
    // If the program was killed before the message was stored, the message has to be said again.
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
      expect(ran, what).toBeLessThanOrEqual(1);
      // Only a command that was interrupted may not have run.
      const said = lines.find((line) => line.content?.includes('interrupted while it ran'));
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
}

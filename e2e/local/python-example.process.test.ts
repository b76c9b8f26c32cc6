import { spawn, spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { CliBench, type Ended, ended } from '../lib/cli-bench.ts';

const AGENT = join(ROOT, 'examples/tool-server/agent.py');
const ALLOWED = 'permissions:\n  write: allow\n  execute: allow\n';

const hasPython = spawnSync('python3', ['--version']).status === 0;

let bench: CliBench;
beforeEach(async ({ skip }) => {
  // Where everything must be tested, a missing Python is a failure.
  skip(!hasPython && !process.env.CI, 'there is no python3');
  bench = await CliBench.start();
});
afterEach(() => bench?.stop());

const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });

/** Runs the example over the folder. */
function runAgent(task: string, env: Readonly<Record<string, string>> = {}, folder = bench.folder): Promise<Ended> {
  const child = spawn('python3', [AGENT, folder, task], {
    cwd: bench.outside,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...bench.environment,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      NO_PROXY: '127.0.0.1',
      OPENAI_BASE_URL: bench.model.url,
      OPENAI_API_KEY: 'example-key',
      MODEL: 'scripted',
      ...env,
    },
  });
  return ended(child);
}

describe('the example in Python', () => {
  test('reads and writes files for a model, and prints its answer', async () => {
    bench.write({ '.roundtrip/config.yaml': ALLOWED, 'a.txt': 'alpha ✓\n' });
    bench.model.requiredKey = 'example-key';
    bench.model.script('Copy a', [
      { calls: [call('read_file', { path: '/a.txt' }), call('list_directory', { path: '/' })] },
      { calls: [call('write_file', { path: '/b.txt', content: 'alpha ✓\n' })] },
      { text: 'Copied: ✓' },
    ]);
    const { code, stdout, stderr } = await runAgent('Copy a');
    expect(stderr).toMatch(/^> read_file .*\n> list_directory .*\n> write_file .*\n$/);
    expect([code, stdout]).toEqual([0, 'Copied: ✓\n']);
    expect([...bench.files()]).toEqual([
      ['/a.txt', 'alpha ✓\n'],
      ['/b.txt', 'alpha ✓\n'],
    ]);
    const [first, second, third] = bench.model.requests;
    expect(first?.tools).toContainEqual({
      type: 'function',
      function: {
        name: 'read_file',
        description: expect.stringContaining('Returns the text'),
        parameters: expect.objectContaining({ type: 'object', required: ['path'] }),
      },
    });
    expect(second?.messages.slice(2)).toEqual([
      expect.objectContaining({ role: 'assistant', tool_calls: [expect.anything(), expect.anything()] }),
      { role: 'tool', tool_call_id: 'call_0', content: 'alpha ✓\n' },
      { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
    ]);
    expect(third?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('Success') });
  });

  test('tells the model what is wrong with a call, and goes on', async () => {
    bench.model.script('Try', [
      {
        calls: [
          { name: 'read_file', arguments: '{"path": "/a' },
          call('fly', {}),
          call('write_file', { path: '/x.txt', content: 'x' }),
        ],
      },
      { text: 'It did not work.' },
    ]);
    expect(await runAgent('Try')).toMatchObject({ code: 0, stdout: 'It did not work.\n' });
    expect(bench.model.requests[1]?.messages.slice(-3).map(({ content }) => content)).toEqual([
      expect.stringContaining('expected object'),
      expect.stringContaining('There is no tool "fly"'),
      expect.stringContaining('write: allow'),
    ]);
    expect(bench.files()).toEqual(new Map());
  });

  test('says why there is no answer, and ends with 1', async () => {
    bench.model.script('Refused', [{ status: 429, message: 'too many requests' }]);
    expect(await runAgent('Refused')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The model's server answered .*429.*too many requests/),
    });
    const { code, stderr } = await runAgent('Hi', {}, join(bench.outside, 'none'));
    expect(stderr).toMatch(/There is no folder .*none/);
    expect(stderr).toContain('The tool server has ended');
    expect(code).toBe(1);
  });
});

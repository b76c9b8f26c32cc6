import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliBench } from '../lib/cli-bench.ts';
import { keep, testScenarios } from '../lib/cli-scenarios.ts';

let bench: CliBench;
beforeAll(async () => {
  bench = await CliBench.start();
});
afterAll(() => bench.stop());

/** The other languages and ways of calling are in `scenarios.long.test.ts`. */
const isPlayedDaily = (language: string, model: string, mode: string): boolean =>
  language === 'en' && model === 'scripted' && mode === 'native';

testScenarios(isPlayedDaily);

const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });

describe('what people start with', () => {
  test('list and read', async () => {
    bench.write({ 'README.md': '# Project\n', 'src/main.py': 'print("hi")\n' });
    bench.model.script('What is in src/main.py?', [
      { calls: [call('list_directory', { path: '/' })] },
      { calls: [call('read_file', { path: '/src/main.py' })] },
      { text: 'It prints hi.' },
    ]);
    const { code, stdout } = await bench.run(['run', 'What is in src/main.py?', '--session', 'list-and-read.jsonl']);
    expect([code, stdout]).toEqual([0, 'It prints hi.\n']);
    const session = bench.read('.roundtrip/sessions/list-and-read.jsonl') ?? '';
    keep('list-and-read', session);
    expect(session).toContain('README.md\\nsrc/');
  });

  test('write and patch', async () => {
    bench.model.script('Write a greeting and change it', [
      { calls: [call('write_file', { path: '/hello.txt', content: 'Hello\nWorld\n' })] },
      {
        calls: [
          call('apply_patch', {
            patch: '--- a/hello.txt\n+++ b/hello.txt\n@@ -1,2 +1,2 @@\n Hello\n-World\n+Moon\n',
          }),
        ],
      },
      { text: 'Hello Moon.' },
    ]);
    const session = join(bench.outside, 'write-and-patch.jsonl');
    const { code } = await bench.run(['run', 'Write a greeting and change it', '--yes', '--session', session]);
    expect(code).toBe(0);
    expect(bench.read('hello.txt')).toBe('Hello\nMoon\n');
    keep('write-and-patch', bench.read('../write-and-patch.jsonl') ?? '');
  });

  test('bash runs python3 -c "print(1)"', async () => {
    bench.model.script('Run Python', [
      { calls: [call('execute_bash', { command: 'python3 -c "print(1)"' })] },
      { text: '1' },
    ]);
    const session = join(bench.outside, 'python.jsonl');
    const { code } = await bench.run(['run', 'Run Python', '--yes', '--session', session]);
    expect(code).toBe(0);
    const lines = (bench.read('../python.jsonl') ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.find(({ role }) => role === 'tool')).toMatchObject({ content: '1' });
    keep('python', bench.read('../python.jsonl') ?? '');
  });
});

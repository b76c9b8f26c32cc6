import { beforeEach, expect, test } from 'vitest';
import type { EvaluationOptions } from '#lib/tools/capabilities/sandbox.ts';
import type { PathRule } from '#lib/tools/permission/path-rule.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { expectCode, fill, readText } from '#lib/vfs/test/contract.ts';
import { evaluateForPerson, pathRulesApply } from './evaluate.ts';

const wait = () => undefined;

let fileSystem: MemoryFileSystem;
let rules: PathRule[];

beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await fill(fileSystem, { '/.env': 'KEY', '/a.txt': 'a' });
  rules = [{ pattern: '.env*', effects: ['read', 'write'], policy: 'deny' }];
});

/** Runs `work` with the files that the user's code gets in a session. */
async function withFiles(
  session: { hasModelCode: boolean },
  work: (files: EvaluationOptions['files']) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  const evaluate = async (_: string, { files }: EvaluationOptions) => {
    await work(files).catch((error: unknown) => {
      failure = error;
    });
    return { console: [] };
  };
  const options = { rules: () => rules, abortSignal: new AbortController().signal };
  await evaluateForPerson({ ...session, evaluate }, '1', fileSystem, options);
  if (failure !== undefined) throw failure;
}

test('requests in a session in which code of the model has run are refused what rules protect', async () => {
  await withFiles({ hasModelCode: true }, async (files) => {
    await expectCode(files.read('/.env', wait), 'EACCES');
    await expectCode(files.write('/.env', 'x', wait), 'EACCES');
    await expectCode(files.write('/.env.new', 'x', wait), 'EACCES');
    expect(await files.read('/a.txt', wait)).toBe('a');
    await files.write('/a.txt', 'b', wait);
  });
  expect(await readText(fileSystem, '/.env')).toBe('KEY');
  expect(await readText(fileSystem, '/a.txt')).toBe('b');
});

test('a rule that is new holds for code that is running', async () => {
  rules = [];
  await withFiles({ hasModelCode: true }, async (files) => {
    expect(await files.read('/.env', wait)).toBe('KEY');
    rules = [{ pattern: '.env', effects: ['read'], policy: 'ask' }];
    await expectCode(files.read('/.env', wait), 'EACCES');
  });
});

test('the user has all files in a session of their own', async () => {
  await withFiles({ hasModelCode: false }, async (files) => {
    expect(await files.read('/.env', wait)).toBe('KEY');
    await files.write('/.env', 'NEW', wait);
  });
  expect(await readText(fileSystem, '/.env')).toBe('NEW');
});

test('rules that only allow guard nothing', () => {
  expect(pathRulesApply({ hasModelCode: true }, rules)).toBe(true);
  expect(pathRulesApply({ hasModelCode: true }, [{ pattern: '**', effects: ['read'], policy: 'allow' }])).toBe(false);
});

import { beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '#lib/base/sha256.ts';
import { type KnownFiles, NOTHING_KNOWN } from '#lib/tools/execution/known-files.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { bytesOf, fill, readTree } from '#lib/vfs/test/contract.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import { mergeTexts, proposalOf } from './call-proposal.ts';
import { PROPOSED_FILE_MAX_BYTES, PROPOSED_FILES_MAX } from './proposal.ts';

let files: MemoryFileSystem;
beforeEach(async () => {
  files = new MemoryFileSystem();
  await fill(files, { '/a.txt': 'one\ntwo\n', '/src/b.txt': 'b\n', '/src/c.txt': 'c\n' });
});

async function propose(name: string, input: object, known: KnownFiles = NOTHING_KNOWN) {
  const tool = toolRegistry.get(name);
  if (tool === undefined) throw new Error(`no ${name}`);
  const before = await readTree(files);
  const { sequence } = files.history;
  const proposal = await proposalOf({ input }, tool, { files, known, signal: new AbortController().signal });
  expect(await readTree(files)).toEqual(before);
  expect(files.history.sequence).toBe(sequence);
  const textOf = (bytes: Uint8Array | null) => (bytes === null ? null : decodeUtf8(bytes));
  return {
    ...proposal,
    files: proposal.files.map(({ path, before: old, after }) => [path, textOf(old), textOf(after)]),
  };
}

describe('what a call would do', () => {
  test.each<[string, object, unknown[][]]>([
    ['edit_file', { path: '/a.txt', find: 'two', replace: '2' }, [['/a.txt', 'one\ntwo\n', 'one\n2\n']]],
    ['write_file', { path: '/new/x.txt', content: 'x' }, [['/new/x.txt', null, 'x']]],
    [
      'delete_path',
      { path: '/src', recursive: true },
      [
        ['/src/b.txt', 'b\n', null],
        ['/src/c.txt', 'c\n', null],
      ],
    ],
    [
      'move_path',
      { from: '/src/b.txt', to: '/d.txt' },
      [
        ['/d.txt', null, 'b\n'],
        ['/src/b.txt', 'b\n', null],
      ],
    ],
    [
      'apply_patch',
      {
        patch: '*** Begin Patch\n*** Update File: /a.txt\n@@\n one\n-two\n+2\n*** Add File: /e.txt\n+e\n*** End Patch',
      },
      [
        ['/a.txt', 'one\ntwo\n', 'one\n2\n'],
        ['/e.txt', null, 'e\n'],
      ],
    ],
    ['make_directory', { path: '/empty' }, []],
  ])('%s %j', async (name, input, expected) => {
    expect(await propose(name, input)).toEqual({ files: expected, uncompared: [], isStale: false });
  });

  test('names the files that are too many or too large to be compared, and counts all of them', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`/many/${n}.txt`, `${n}`]));
    await fill(files, { ...many, '/many/large.bin': 'x'.repeat(PROPOSED_FILE_MAX_BYTES + 1) });
    const proposal = await propose('delete_path', { path: '/many', recursive: true });
    expect(proposal.problem).toBeUndefined();
    expect(proposal.files).toHaveLength(PROPOSED_FILES_MAX);
    expect(proposal.uncompared).toHaveLength(801);
    expect(proposal.uncompared).toContainEqual({ path: '/many/large.bin', change: 'deleted' });
    const paths = [...proposal.files.map(([path]) => path), ...proposal.uncompared.map(({ path }) => path)];
    expect(new Set(paths)).toEqual(new Set([...Object.keys(many), '/many/large.bin']));
  });

  test('says why it would fail', async () => {
    const proposal = await propose('edit_file', { path: '/a.txt', find: 'nowhere', replace: 'x' });
    expect(proposal).toMatchObject({ files: [], problem: expect.stringContaining('is not in the file') });
  });

  test('is nothing for tools that need more than files', async () => {
    expect(await propose('execute_bash', { command: 'rm a.txt' })).toEqual({
      files: [],
      uncompared: [],
      isStale: false,
    });
  });

  test('of a whole file from an older version is both what the model and what others have changed', async () => {
    const old = 'one\ntwo\nthree\nfour\n';
    const hash = await sha256(bytesOf(old));
    await fill(files, { '/a.txt': 'ONE\ntwo\nthree\nfour\n' });
    const known: KnownFiles = { ...NOTHING_KNOWN, hashOf: () => hash, textOf: async () => old };
    const input = { path: '/a.txt', content: 'one\ntwo\nthree\nFOUR\n' };
    expect(await propose('write_file', input, known)).toEqual({
      files: [['/a.txt', 'ONE\ntwo\nthree\nfour\n', 'ONE\ntwo\nthree\nFOUR\n']],
      uncompared: [],
      isStale: true,
    });
  });

  test('where both have changed the same line, the model’s counts', () => {
    expect(mergeTexts('a\nmodel\nc\n', 'a\nb\nc\n', 'a\nperson\nc\nd\n')).toBe('a\nmodel\nc\nd\n');
  });
});

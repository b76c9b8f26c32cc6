import { beforeEach, describe, expect, test } from 'vitest';
import { BASH_OUTPUT_MAX_LENGTH, executeBash } from '#lib/tools/execute-bash.ts';
import type { Shell } from '#lib/tools/shell.ts';
import { runTool } from '#lib/tools/test/run-tool.ts';
import type { FileChange } from '#lib/vfs/file-system.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { bytesOf, fill, PERSON, readTree } from '#lib/vfs/test/contract.ts';
import { runBash } from './run-bash.ts';

let fileSystem: MemoryFileSystem;

beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await fill(fileSystem, { '/src/a.txt': 'one\ntwo\n', '/src/日本.txt': '界\n', '/README.md': '# Hi\n' });
});

const run = (command: string, cwd = '/') =>
  runBash(command, { cwd, author: { type: 'call', toolCallId: 'call-1' }, fileSystem });

const outputOf = async (command: string, cwd?: string) => {
  const { stdout, stderr } = await run(command, cwd);
  return stdout + stderr;
};

describe('reading', () => {
  test.each([
    ['ls', 'README.md\nsrc\n'],
    ['ls -R src', 'src:\na.txt\n日本.txt\n'],
    ['cat src/*.txt | sort -r', '界\ntwo\none\n'],
    ['cat src/日本.txt', '界\n'],
    ['find . -type f | wc -l', '3\n'],
    ['grep -rn two .', 'src/a.txt:2:two\n'],
    ['wc -l < src/a.txt', '2\n'],
    ['cd src && pwd && ls ..', '/src\nREADME.md\nsrc\n'],
    ['test -f src/a.txt && [ -d src ] && [ ! -e no ] && echo yes', 'yes\n'],
    ['for f in src/*; do basename $f; done', 'a.txt\n日本.txt\n'],
    ['echo $((6 * 7))', '42\n'],
  ])('%s', async (command, expected) => {
    expect((await outputOf(command)).replace(/^\.\//gm, '').trimStart()).toBe(expected);
  });

  test('a directory to begin in is kept to', async () => {
    expect(await outputOf('ls', '/src')).toBe('a.txt\n日本.txt\n');
  });
});

describe('changing', () => {
  test('files are made, changed, moved, copied and deleted, and each change is the call’s', async () => {
    const changes: FileChange[] = [];
    fileSystem.watch((made) => changes.push(...made));
    const { exitCode, stderr } = await run(
      [
        'mkdir -p out/deep',
        'echo three >> src/a.txt',
        'cp -r src copy',
        'mv README.md out/deep/README.md',
        'rm src/日本.txt',
        "sed -i 's/two/2/' src/a.txt",
        'printf "#!/bin/sh\\n" > run.sh && chmod +x run.sh',
        'ln -s src/a.txt link',
        'echo gone > /dev/null',
      ].join('\n'),
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(await readTree(fileSystem)).toEqual({
      '/copy': null,
      '/copy/a.txt': 'one\ntwo\nthree\n',
      '/copy/日本.txt': '界\n',
      '/link': { link: 'src/a.txt' },
      '/out': null,
      '/out/deep': null,
      '/out/deep/README.md': '# Hi\n',
      '/run.sh': '#!/bin/sh\n',
      '/src': null,
      '/src/a.txt': 'one\n2\nthree\n',
    });
    expect((await fileSystem.stat('/run.sh')).mode & 0o100).toBe(0o100);
    expect(new Set(changes.map(({ author }) => JSON.stringify(author)))).toEqual(
      new Set([JSON.stringify({ type: 'call', toolCallId: 'call-1' })]),
    );
  });

  test('a directory of the workspace with the name of one of the system’s is the workspace’s', async () => {
    await fill(fileSystem, { '/bin/tool.sh': 'echo hi' });
    expect(await outputOf('ls /bin; cp /bin/tool.sh /tmp/t.sh; mv /tmp/t.sh src/t.sh; ls src')).toBe(
      'tool.sh\na.txt\nt.sh\n日本.txt\n',
    );
  });

  test('bytes go through pipes and files as they are', async () => {
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    await fileSystem.transaction(PERSON, async (tx) => tx.writeFile('/all.bin', all));
    await run('cat all.bin > copy.bin; cat all.bin | cat >> copy.bin; base64 all.bin | base64 -d > third.bin');
    expect(await fileSystem.readFile('/copy.bin')).toEqual(new Uint8Array([...all, ...all]));
    expect(await fileSystem.readFile('/third.bin')).toEqual(all);
  });

  test('a workspace without any system directories stays without them', async () => {
    const { stdout } = await run(
      'ls / > /dev/null; echo x | tee /dev/stderr > /tmp/y; cat /tmp/y; mv /tmp/y /tmp/z; ls /tmp',
    );
    expect(stdout).toBe('x\nz\n');
    expect(Object.keys(await readTree(fileSystem))).toEqual(['/README.md', '/src', '/src/a.txt', '/src/日本.txt']);
  });
});

describe('failing', () => {
  test.each([
    ['cat no.txt', 'No such file or directory'],
    ['cat src', 'cat: src'],
    ['cd README.md', 'Not a directory'],
    ['rmdir src', 'not empty'],
    ['curl http://127.0.0.1/', 'command not found'],
    ['node -e 1', 'command not found'],
    ['rm -rf /', 'refused'],
    ['cd src && rm -rf ..', 'refused'],
  ])('%s says why and changes nothing', async (command, message) => {
    const before = await readTree(fileSystem);
    const { exitCode, stderr } = await run(command);
    expect(exitCode).not.toBe(0);
    expect(stderr.toLowerCase()).toContain(message.toLowerCase());
    expect(await readTree(fileSystem)).toEqual(before);
  });
});

describe('execute_bash', () => {
  const shell: Shell = {
    run: (command, { cwd, author }) => runBash(command, { cwd, author, fileSystem }),
  };
  const contentOf = async (input: object) => (await runTool(executeBash, input, fileSystem, { shell })).content;

  test('gives the output, errors and exit code, each only where there is one', async () => {
    expect(await contentOf({ command: 'echo hi' })).toBe('hi');
    expect(await contentOf({ command: 'true' })).toBe('[no output, exit code 0]');
    expect(await contentOf({ command: 'echo out; echo err >&2; exit 3' })).toBe(
      'out\n[standard error]\nerr\n[exit code 3]',
    );
  });

  test('of a long output the beginning and the end are kept', async () => {
    const content = await contentOf({ command: 'seq 1 20000' });
    expect(content).toMatch(/^1\n2\n/);
    expect(content).toMatch(/\n20000$/);
    expect(content).toContain('characters of standard output left out]');
    expect(content.length).toBeLessThan(BASH_OUTPUT_MAX_LENGTH + 100);
  });

  test.each([
    ['/no', 'ENOENT'],
    ['/README.md', 'ENOTDIR'],
    ['/..', 'EINVAL'],
  ])('a directory %s to run in is %s', async (cwd, code) => {
    await expect(contentOf({ command: 'ls', cwd })).rejects.toMatchObject({ code });
  });

  test('what it changes is there, whatever bytes', async () => {
    await contentOf({ command: 'echo x > f', cwd: 'src' });
    expect(await fileSystem.readFile('/src/f')).toEqual(bytesOf('x\n'));
  });
});

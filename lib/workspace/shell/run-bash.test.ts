import { beforeEach, describe, expect, test } from 'vitest';
import type { Shell } from '#lib/tools/capabilities/shell.ts';
import { BASH_OUTPUT_MAX_LENGTH, executeBash } from '#lib/tools/files/execute-bash.ts';
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

  test('respects the initial directory', async () => {
    expect(await outputOf('ls', '/src')).toBe('a.txt\n日本.txt\n');
  });
});

describe('redirecting', () => {
  test.each([
    ['echo a > f; echo b >> f; cat f', 'a\nb\n'],
    ['echo one | cat > f; cat f', 'one\n'],
    ['while read line; do echo "<$line>" >> f; done < src/a.txt; cat f', '<one>\n<two>\n'],
    ['cat src/a.txt | while read line; do echo "$line" > "$line"; done; cat two', 'two\n'],
    ['cat <<END > f\nhere\nEND\ncat f', 'here\n'],
    ['x=1 > f; echo $x; cd src > /dev/null; pwd', '1\n/src\n'],
    ['f() { echo in; return 3; }; f > f; echo $?', '3\n'],
    ['for i in 1 2 3; do [ $i = 2 ] && break > f; echo $i; done', '1\n'],
    ['ls nothing 2> errors; echo $?; grep -c nothing errors', '2\n1\n'],
    ['ls nothing > f 2>&1; grep -c nothing f', '1\n'],
    ['echo x >&2', 'x\n'],
    ['! true > f; echo $?', '1\n'],
    ['exec 3> f; echo three >&3; cat f', 'three\n'],
  ])('%s', async (command, expected) => {
    expect(await outputOf(command)).toBe(expected);
  });

  test('where no file can be is an error of the command', async () => {
    const { stdout, stderr } = await run('echo one; echo a > README.md/x; echo $?');
    expect(stdout).toBe('one\n1\n');
    expect(stderr).toContain('not a directory');
  });
});

describe('changing', () => {
  test('files are created, changed, moved, copied and deleted, and each change is attributed to the call', async () => {
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

  test('a workspace directory takes precedence over a system directory of the same name', async () => {
    await fill(fileSystem, { '/bin/tool.sh': 'echo hi' });
    expect(await outputOf('ls /bin; cp /bin/tool.sh /tmp/t.sh; mv /tmp/t.sh src/t.sh; ls src')).toBe(
      'tool.sh\na.txt\nt.sh\n日本.txt\n',
    );
  });

  test('bytes pass through pipes and files unchanged', async () => {
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    await fileSystem.transaction(PERSON, async (tx) => tx.writeFile('/all.bin', all));
    await run('cat all.bin > copy.bin; cat all.bin | cat >> copy.bin; base64 all.bin | base64 -d > third.bin');
    expect(await fileSystem.readFile('/copy.bin')).toEqual(new Uint8Array([...all, ...all]));
    expect(await fileSystem.readFile('/third.bin')).toEqual(all);
  });

  test('system directories are not added to a workspace that has none', async () => {
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
  ])('%s fails with a reason and changes nothing', async (command, message) => {
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

  test('returns output, errors and exit code, each only if there is one', async () => {
    expect(await contentOf({ command: 'echo hi' })).toBe('hi');
    expect(await contentOf({ command: 'true' })).toBe('[no output, exit code 0]');
    expect(await contentOf({ command: 'echo out; echo err >&2; exit 3' })).toBe(
      'out\n[standard error]\nerr\n[exit code 3]',
    );
  });

  test('keeps the beginning and the end of a long output', async () => {
    const content = await contentOf({ command: 'seq 1 20000' });
    expect(content).toMatch(/^1\n2\n/);
    expect(content).toMatch(/\n20000$/);
    expect(content).toContain('characters of standard output omitted]');
    expect(content.length).toBeLessThan(BASH_OUTPUT_MAX_LENGTH + 100);
  });

  test.each([
    ['/no', 'ENOENT'],
    ['/README.md', 'ENOTDIR'],
    ['/..', 'EINVAL'],
  ])('the working directory %s fails with %s', async (cwd, code) => {
    await expect(contentOf({ command: 'ls', cwd })).rejects.toMatchObject({ code });
  });

  test('its changes are written, whatever their bytes', async () => {
    await contentOf({ command: 'echo x > f', cwd: 'src' });
    expect(await fileSystem.readFile('/src/f')).toEqual(bytesOf('x\n'));
  });
});

import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { CliBench } from '../lib/cli-bench.ts';
import { Terminal } from '../lib/terminal.ts';

const CONFIG = '.roundtrip/config.yaml';
const ALLOWS = 'permissions:\n  write: allow\n  execute: allow\ncommands:\n  deny: [rm]\n';

let bench: CliBench;
beforeEach(async () => {
  bench = await CliBench.start();
});
afterEach(() => bench.stop());

const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });

/** Lets the model write a file. */
async function write(path: string, args: readonly string[] = []) {
  const question = `Write ${path}`;
  bench.model.script(question, [
    { calls: [call('write_file', { path: `/${path}`, content: 'x' })] },
    { text: 'Done.' },
  ]);
  return bench.run(['run', question, ...args]);
}

const openTerminal = (question: string): Terminal =>
  new Terminal([process.execPath, join(ROOT, 'bin/roundtrip.js'), 'run', question], {
    cwd: bench.folder,
    env: bench.environment,
    columns: 120,
  });

describe('a configuration that comes with a folder', () => {
  test('allows nothing before it is trusted, and again once it has changed', async () => {
    bench.writeOnly({ [CONFIG]: ALLOWS });
    const first = await write('a.txt');
    expect(first.code).toBe(3);
    expect(first.stderr).toContain(`${CONFIG} allows nothing yet, because you have not trusted it as it is.`);
    expect(first.stderr).toContain('roundtrip trust');
    expect(bench.read('a.txt')).toBeUndefined();

    const trusting = await bench.run(['trust', '--yes']);
    expect(trusting.code).toBe(0);
    expect(trusting.stderr).toContain('change files without a question');
    expect(trusting.stderr).toContain('run commands and code without a question');
    expect((await write('b.txt')).code).toBe(0);
    expect(bench.read('b.txt')).toBe('x');

    bench.writeOnly({ [CONFIG]: `${ALLOWS}web:\n  enabled: true\n` });
    expect((await write('c.txt')).code).toBe(3);
    expect(bench.read('c.txt')).toBeUndefined();
    const changed = await bench.run(['trust', '--yes']);
    expect(changed.stderr).toContain('It has changed since you trusted it:');
    expect(changed.stderr).toContain('│ +  enabled: true');
    expect((await write('c.txt')).code).toBe(0);

    expect((await bench.run(['trust', 'forget'])).code).toBe(0);
    expect((await write('d.txt')).code).toBe(3);
  });

  test('is trusted in one folder only, whatever the others say', async () => {
    bench.write({ [CONFIG]: ALLOWS });
    expect((await write('a.txt')).code).toBe(0);
    const other = join(bench.outside, 'other');
    mkdirSync(join(other, '.roundtrip'), { recursive: true });
    writeFileSync(join(other, CONFIG), ALLOWS);
    const answer = await write('a.txt', ['--cwd', other]);
    expect(answer.code).toBe(3);
    expect(answer.stderr).toContain('allows nothing yet');
  });

  test('denies and limits from the start, and what only does that needs no trust', async () => {
    bench.writeOnly({ [CONFIG]: 'permissions:\n  write: deny\n' });
    const answer = await write('a.txt', ['--yes']);
    expect(answer.stderr).not.toContain('trust');
    expect(bench.read('a.txt')).toBeUndefined();
    const nothing = await bench.run(['trust']);
    expect(nothing.code).toBe(0);
    expect(nothing.stderr).toContain('allows nothing that has to be trusted');
  });

  test('outside of the folder is the person’s own, when they name it', async () => {
    writeFileSync(join(bench.outside, 'mine.yaml'), ALLOWS);
    const answer = await write('a.txt', ['--config', join(bench.outside, 'mine.yaml')]);
    expect(answer.code).toBe(0);
    expect(answer.stderr).not.toContain('trust');
    bench.writeOnly({ 'named.yaml': ALLOWS });
    expect((await write('b.txt', ['--config', 'named.yaml'])).code).toBe(3);
  });

  test('cannot be trusted without a person', async () => {
    bench.writeOnly({ [CONFIG]: ALLOWS });
    const asked = await bench.run(['trust']);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('Use --yes to trust it without a question.');
  });

  test('in a terminal, is shown with what it allows, and “always” keeps it trusted', async () => {
    bench.writeOnly({ [CONFIG]: 'tools:\n  write_file: allow\n' });
    bench.model.script('Write, and make a folder', [
      { calls: [call('write_file', { path: '/a.txt', content: 'x' })] },
      { calls: [call('make_directory', { path: '/made' })] },
      { text: 'Done.' },
    ]);
    const terminal = openTerminal('Write, and make a folder');
    await terminal.see('Do you trust the configuration of this folder?');
    await terminal.see('│   write_file: allow');
    await terminal.see('use without a question: write_file');
    terminal.type('y\r');
    await terminal.see('? Make folder /made');
    terminal.type('a\r');
    await terminal.see('Done.');
    expect(await terminal.end()).toBe(0);
    expect(bench.read(CONFIG)).toContain('make_directory: allow');
    expect((await write('b.txt')).code).toBe(0);
  });

  test('is not trusted along with an answer “always” if others have written to it', async () => {
    bench.writeOnly({ [CONFIG]: 'tools:\n  write_file: allow\n' });
    bench.model.script('Make a folder', [{ calls: [call('make_directory', { path: '/made' })] }, { text: 'Done.' }]);
    const terminal = openTerminal('Make a folder');
    await terminal.see('Do you trust the configuration of this folder?');
    terminal.type('y\r');
    await terminal.see('? Make folder /made');
    bench.writeOnly({ [CONFIG]: ALLOWS });
    terminal.type('a\r');
    await terminal.see('It is allowed in this session only');
    await terminal.see('Done.');
    expect(await terminal.end()).toBe(0);
    expect(bench.read(CONFIG)).toBe(ALLOWS);
    expect((await write('b.txt')).code).toBe(3);
  });

  test('is not the person’s own because a link leads out of the folder', async () => {
    writeFileSync(join(bench.outside, 'shared.yaml'), ALLOWS);
    bench.writeOnly({ '.roundtrip/.gitignore': '' });
    symlinkSync(join(bench.outside, 'shared.yaml'), join(bench.folder, CONFIG));
    const answer = await write('a.txt');
    expect(answer.code).toBe(2);
    expect(answer.stderr).toContain('is a symbolic link');
    expect(bench.read('a.txt')).toBeUndefined();
  });

  test('chooses no other model before it is trusted', async () => {
    bench.writeOnly({ [CONFIG]: 'model: elsewhere\nlimits:\n  steps: 90\n' });
    const answer = await write('a.txt', ['--yes']);
    expect(answer.code).toBe(0);
    expect(answer.stderr).toContain('allows nothing yet');
    const trusting = await bench.run(['trust', '--yes']);
    expect(trusting.stderr).toContain('answer with the model elsewhere, which gets the conversation');
    expect(trusting.stderr).toContain('take 90 steps in a turn');
  });
});

test('what a folder says about commands that were killed moves no files, in it or outside', async () => {
  const notes = join(bench.outside, 'notes.txt');
  writeFileSync(notes, 'mine');
  const note = {
    owner: { pid: 999_999_999, began: '1' },
    absent: [
      { folder: '..', inode: statSync(bench.outside).ino, name: 'notes.txt' },
      { folder: '', inode: statSync(bench.folder).ino, name: 'kept.txt' },
    ],
    links: [
      { path: '../.profile', target: 'project/evil.sh' },
      { path: '.git', target: 'evil' },
    ],
  };
  bench.writeOnly({ '.roundtrip/guards/a.json': JSON.stringify(note), 'kept.txt': 'kept' });
  await bench.run(['undo', '--yes']);
  await write('a.txt', ['--yes']);
  expect(readFileSync(notes, 'utf8')).toBe('mine');
  expect(bench.read('kept.txt')).toBe('kept');
  expect(existsSync(join(bench.outside, '.profile'))).toBe(false);
  expect(existsSync(join(bench.folder, '.git'))).toBe(false);
});

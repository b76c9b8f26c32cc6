import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { MESSAGE_MAX_CHARS, MESSAGES_MAX_PER_SECOND } from '#lib/sandbox/limits.ts';
import type { StartProcess } from './kernel-process.ts';
import { NODE_ARGUMENTS } from './limits.ts';
import { OpenedSandbox, startNode } from './test/opened-sandbox.ts';

const ENDED = 'The session has ended, and everything declared in it is gone.';

let opened: OpenedSandbox;

function open(start: StartProcess): OpenedSandbox {
  opened = new OpenedSandbox(start);
  return opened;
}

afterEach(() => opened.sandbox.close());

/** A process in the kernel's place. For each evaluation it runs code that has `say`, and `run`, its number. */
function fakeKernel(onRun: string): StartProcess {
  const script = `
    const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
    const text = (of) => ({ type: 'text', text: of });
    say({ type: 'ready' });
    process.stdin.on('data', (data) => { const { run } = JSON.parse(data); ${onRun} });`;
  return async () => startNode('-e', script);
}

describe('what a process sends is not trusted', () => {
  test('only the outcome of the evaluation that is running counts', async () => {
    const start = fakeKernel(`
      say({ type: 'outcome', run: run + 1, value: text('forged') });
      say({ type: 'outcome', run: 0, value: text('forged') });
      say({ type: 'ready' });
      say({ type: 'loaded', title: 'forged' });
      say({ type: 'outcome', run, value: text('real') });
      say({ type: 'outcome', run, value: text('late') });`);
    expect(await open(start).run('1')).toMatch(/^real\n/);
    expect(await opened.run('1')).toBe('real');
  });

  test.each([
    ['text', `process.stdout.write('hello\\n')`, 'an invalid message'],
    ['an empty line', `process.stdout.write('\\n')`, 'an invalid message'],
    ['bytes that are no text', `process.stdout.write(new Uint8Array([255, 254, 10]))`, 'an invalid message'],
    ['a message of an unknown type', `say({ type: 'exit' })`, 'an invalid message'],
    ['an invalid value', `say({ type: 'outcome', run, value: { type: 'text', text: 5 } })`, 'an invalid message'],
    [
      'a value that is nested too deeply',
      `process.stdout.write('{"type":"outcome","run":1,"value":' + '['.repeat(1e6) + '\\n')`,
      'an invalid message',
    ],
    [
      'a long message',
      `process.stdout.write('"' + 'x'.repeat(${MESSAGE_MAX_CHARS}) + '"\\n')`,
      'a message that is invalid or too large',
    ],
    [
      'a message without end',
      `const part = 'x'.repeat(1e6); (function more() { process.stdout.write(part, more) })()`,
      'a message that is invalid or too large',
    ],
    [
      'many messages',
      `for (let i = 0; i < ${3 * MESSAGES_MAX_PER_SECOND}; i++) say({ type: 'ready' })`,
      'too many messages',
    ],
    [
      'many characters',
      `for (let i = 0; i < 20; i++) say({ type: 'console', run, level: 'log', values: [text('x'.repeat(2e6))] })`,
      'too many messages',
    ],
  ])('%s ends the session', async (_, onRun, reason) => {
    const result = await open(fakeKernel(onRun)).run('1');
    expect(result.split('\nPrinted so far:')[0]).toBe(`failed: The code sent ${reason}. ${ENDED}`);
    expect(await opened.ended(0)).toBe('SIGKILL');
  });

  test('what it writes to stderr is not shown, however much it is', async () => {
    const start = fakeKernel(`
      process.stderr.write('x'.repeat(1e7), () => say({ type: 'outcome', run, value: text('real') }))`);
    expect(await open(start).run('1')).toMatch(/^real\n\[This ran/);
  });

  test('messages are read however they are cut', async () => {
    const start = fakeKernel(`
      const bytes = Buffer.from(JSON.stringify({ type: 'outcome', run, value: text('a🙂b') }) + '\\n');
      (async () => {
        for (const byte of bytes) await new Promise((done) => process.stdout.write(new Uint8Array([byte]), done));
      })()`);
    expect(await open(start).run('1')).toMatch(/^a🙂b\n/);
  });
});

describe('a process that does not start', () => {
  test.each<[string, StartProcess, string]>([
    ['cannot be confined', () => Promise.reject(new Error('bwrap is missing.')), 'bwrap is missing.'],
    [
      'ends at once',
      async () => startNode('-e', 'process.stderr.write("no permission"); process.exitCode = 3'),
      'Its process ended (exit code 3). no permission',
    ],
    ['is another program', async () => startNode('-e', 'console.log("hello")'), 'The code sent an invalid message.'],
  ])('because it %s: the call fails with the reason, and the next one tries again', async (_, start, reason) => {
    let tries = 0;
    const { run } = open((script) => (tries++ === 0 ? start(script) : Promise.resolve(startNode(script))));
    expect(await run.call(opened, '1 + 1')).toBe(`failed: The sandbox did not start. ${reason}`);
    expect(await run.call(opened, '1 + 1')).toMatch(/^2\n/);
  });

  test('because there is no such program', async () => {
    expect(await open(async () => spawn('/no/such/program')).run('1')).toBe(
      'failed: The sandbox did not start. spawn /no/such/program ENOENT.',
    );
  });

  test('because it has no pipes: it is killed', async () => {
    const start: StartProcess = async (script) => spawn(process.execPath, [script], { stdio: 'ignore' });
    expect(await open(start).run('1')).toBe(
      'failed: The sandbox did not start. Its process has no pipes for stdin, stdout and stderr.',
    );
    expect(await opened.ended(0)).toBe('SIGKILL');
  });

  test('before the user stops the call: the call ends, and so does the process once it is there', async () => {
    const asked = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const { run } = open(async (script) => {
      asked.resolve();
      await started.promise;
      return startNode(script);
    });
    const stop = new AbortController();
    const stopped = run.call(opened, '1', { abortSignal: stop.signal });
    await asked.promise;
    stop.abort();
    expect(await stopped).toBe('aborted: Stopped by the user while it was running.');
    started.resolve();
    await expect.poll(() => opened.processes.length).toBe(1);
    expect(await opened.ended(0)).toBe('SIGKILL');
  });
});

describe('the kernel’s process', () => {
  test('needs nothing to write, and nothing to read but the studio’s code', async () => {
    const root = dirname(dirname(dirname(import.meta.dirname)));
    const allowed = ['--permission', `--allow-fs-read=${root}/lib/*`, `--allow-fs-read=${root}/package.json`];
    const { run } = open(async (script) => startNode(...NODE_ARGUMENTS, ...allowed, script));
    expect(
      await run.call(opened, 'await import("data:text/javascript,export default 5").then((m) => m.default)'),
    ).toMatch(/^5\n/);
  });

  test('ends with whoever started it', async () => {
    const { run } = open(async (script) => startNode(script));
    await run.call(opened, '1');
    // As the system does when the starting process ends.
    opened.processes[0]?.stdin?.end();
    expect(await opened.ended(0)).toBe('SIGKILL');
  });

  test.skipIf(process.platform === 'win32').each(['SIGKILL', 'SIGTERM'] as const)(
    'ends when whoever started it is ended with %s, even if the code does not end',
    async (signal) => {
      const script = join(import.meta.dirname, 'test/endless.ts');
      const program = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
      await new Promise((resolve) => program.stdout?.once('data', resolve));
      const closed = once(program, 'close');
      program.kill(signal);
      expect(await closed).toEqual([null, signal]);
    },
    10_000,
  );
});

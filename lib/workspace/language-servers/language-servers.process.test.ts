import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MAX_MESSAGE_BYTES } from './limits.ts';
import { fakeServer, lines, newFolder, openFolder, writeFiles } from './test/folder.ts';

const run = promisify(execFile);

/** Checks whether a process runs: it exists, and is not just waiting for a parent to take note of its end. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

const failure = (code: string, message: string | RegExp) => ({
  name: 'ToolFailure',
  code,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
});

describe('a server that publishes diagnostics by itself', () => {
  test('is waited for until the results are complete; hints are left out', async () => {
    const { check } = await openFolder({ 'a.fake': 'say one\nhint two', 'b/b.fake': '\nsay three' }, [
      fakeServer('push'),
    ]);
    const report = await check();
    expect(lines(report)).toEqual(['/a.fake:1:1 error one (fake)', '/b/b.fake:2:1 error three (fake)']);
    expect(report).toMatchObject({ files: 2, hasMore: false });
    // Nothing has changed, so it has nothing to publish.
    expect(await check()).toEqual(report);
  });

  test('checks a file again when another one has changed that it depends on', async () => {
    const { check, write } = await openFolder({ 'a.fake': 'read data.txt', 'data.txt': 'old' }, [fakeServer('push')]);
    expect(lines(await check())).toEqual(['/a.fake:1:1 error old (fake)']);
    await write({ 'data.txt': 'new' });
    expect(lines(await check())).toEqual(['/a.fake:1:1 error new (fake)']);
    await write({ 'a.fake': 'say changed' });
    expect(lines(await check())).toEqual(['/a.fake:1:1 error changed (fake)']);
  });

  test('fails the check if it ends before it has published everything', async () => {
    const { check } = await openFolder({ 'a.fake': 'say one', 'b.fake': 'silent', 'c.fake': 'crash' }, [
      fakeServer('push'),
    ]);
    await expect(check()).rejects.toMatchObject(failure('failed', /^The language server "fake" ended unexpectedly/));
  });

  test('is waited for no longer than the time limit', async () => {
    const { check } = await openFolder({ 'a.fake': 'say one', 'b.fake': 'silent' }, [fakeServer('push')], 300);
    await expect(check()).rejects.toMatchObject(failure('timed-out', /^The language server "fake" did not finish/));
  });
});

describe('a server that is asked for diagnostics', () => {
  test('may put off its answer', async () => {
    const { check } = await openFolder({ 'a.fake': 'busy\nsay one' }, [fakeServer()]);
    expect(lines(await check())).toEqual(['/a.fake:2:1 error one (fake)']);
  });

  test('fails the check by an error, which shows no path of the machine', async () => {
    const { root, check, write } = await openFolder({ 'a.fake': 'refuse' }, [fakeServer()]);
    const message = 'The language server "fake" reported an error: cannot check /a.fake.';
    await expect(check()).rejects.toMatchObject(failure('failed', new RegExp(`^${RegExp.escape(message)} Try again`)));
    await write({ 'a.fake': `say ${root}` });
    expect(lines(await check())).toEqual(['/a.fake:1:1 error / (fake)']);
  });
});

describe('a server that goes wrong fails the check, and the next one starts it again:', () => {
  const ends = 'ended unexpectedly';
  const noMessage = 'wrote something to its output that is not a message of the protocol:';
  test.each([
    ['crash', `${ends} (exit code 3).`],
    [`write ${JSON.stringify('Listening on port 1\n')}`, `${noMessage} it begins with "Listening on port 1\\n".`],
    [`write ${JSON.stringify('Content-Length: 5\r\n\r\nnever')}`, noMessage],
    [`write ${JSON.stringify('Content-Length: 4\r\n\r\nnull')}`, `${noMessage} a message is null.`],
    [
      `write ${JSON.stringify(`Content-Length: ${MAX_MESSAGE_BYTES + 1}\r\n\r\n`)}`,
      `${noMessage} a message has ${MAX_MESSAGE_BYTES + 1} bytes.`,
    ],
    ['close', 'has closed its output.'],
  ])('%s', async (command, what) => {
    const { check, write } = await openFolder({ 'a.fake': `${command}\nsilent` }, [fakeServer()]);
    const message = `The language server "fake" ${what}`;
    await expect(check()).rejects.toMatchObject(failure('failed', new RegExp(`^${RegExp.escape(message)}`)));
    await write({ 'a.fake': 'say fine' });
    expect(lines(await check())).toEqual(['/a.fake:1:1 error fine (fake)']);
  });

  test('the failure ends with its last error output, without a path of the machine', async () => {
    const { check } = await openFolder({ 'a.fake': 'crash' }, [fakeServer()]);
    const error: unknown = await check().catch((error: unknown) => error);
    const text = error instanceof Error ? error.message : '';
    expect(text).toMatch(
      / The next check will start it again\.\nThe end of its error output:\nx+ out of luck in \/a\.fake$/,
    );
    expect(text.length).toBeLessThan(1500);
  });

  test('between two checks', async () => {
    const { check } = await openFolder({ 'a.fake': 'pid' }, [fakeServer()]);
    const [first] = (await check()).diagnostics;
    process.kill(Number(first?.message), 'SIGKILL');
    await vi.waitFor(() => expect(isAlive(Number(first?.message))).toBe(false));
    const [second] = (await check()).diagnostics;
    expect(second?.message).toMatch(/^\d+$/);
    expect(second?.message).not.toBe(first?.message);
  });
});

test('a program that does not exist fails the check with what to do', async () => {
  const { root, check } = await openFolder({ 'a.fake': '' }, [{ ...fakeServer(), command: ['/no/such program'] }]);
  await expect(check()).rejects.toMatchObject(
    failure(
      'failed',
      'The language server "fake" could not be started: the program "/no/such program" was not found. Install it, or correct its command in the configuration.',
    ),
  );
  await writeFiles(root, { 'not-a-program': '' });
  const others = [['./not-a-program'], [''], []].map((command) => ({ ...fakeServer(), command }));
  for (const server of others) {
    const { check } = await openFolder({ 'a.fake': '', 'not-a-program': '' }, [server]);
    await expect(check()).rejects.toMatchObject(
      failure('failed', /^The language server "fake" could not be started: /),
    );
  }
});

test('a server that cannot be started does not keep others from checking', async () => {
  const missing = { ...fakeServer(), name: 'missing', command: ['/no/such program'], files: ['*.other'] };
  const { check } = await openFolder({ 'a.fake': 'say one', 'b.other': '' }, [missing, fakeServer()]);
  const report = await check();
  expect(lines(report)).toEqual(['/a.fake:1:1 error one (fake)']);
  expect(report).toMatchObject({
    files: 1,
    failures: [expect.stringMatching(/^The language server "missing" could not be started/)],
  });
  await expect(check('/b.other')).rejects.toMatchObject(failure('failed', /"missing" could not be started/));
});

test('a server that takes too long fails the check, and goes on if it does not hang', async () => {
  const { check, write } = await openFolder({ 'a.fake': 'pid' }, [fakeServer()], 1_000);
  const pid = (await check()).diagnostics[0]?.message;
  const timedOut = failure('timed-out', /^The language server "fake" did not finish within 1 second\. Check a single/);
  await write({ 'a.fake': 'ask workspace/configuration\nsilent' });
  await expect(check()).rejects.toMatchObject(timedOut);
  await write({ 'a.fake': 'pid' });
  expect((await check()).diagnostics[0]?.message).toBe(pid);
  await write({ 'a.fake': 'loop' });
  await expect(check()).rejects.toMatchObject(timedOut);
  await write({ 'a.fake': 'pid' });
  expect((await check()).diagnostics[0]?.message).toMatch(/^\d+$/);
  expect(isAlive(Number(pid))).toBe(false);
});

test('an abort ends the check at once, and the server is ready for the next one', async () => {
  const { root, check, write } = await openFolder({ 'a.fake': 'note started.txt\nsilent' }, [fakeServer()]);
  const abort = new AbortController();
  const aborted = check('/', abort.signal);
  const waiting = check('/', abort.signal);
  const pid = await vi.waitUntil(() => readFile(join(root, 'started.txt'), 'utf8').catch(() => ''));
  abort.abort();
  await expect(aborted).rejects.toMatchObject(failure('aborted', 'The check was aborted.'));
  await expect(waiting).rejects.toMatchObject(failure('aborted', 'The check was aborted.'));
  await expect(check('/', abort.signal)).rejects.toMatchObject(failure('aborted', 'The check was aborted.'));
  await write({ 'a.fake': 'pid' });
  expect(lines(await check())).toEqual([`/a.fake:1:1 error ${pid} (fake)`]);
});

test('checks at the same time have their own results', async () => {
  const { check } = await openFolder({ 'a.fake': 'say a', 'b.fake': 'say b' }, [fakeServer()]);
  const reports = await Promise.all([check('/a.fake'), check('/b.fake'), check()]);
  expect(reports.map((report) => report.diagnostics.map(({ message }) => message))).toEqual([['a'], ['b'], ['a', 'b']]);
});

test('several servers check together: each file counts once, and the problems are in order', async () => {
  const servers = ['one', 'two'].map((name) => ({ ...fakeServer(), name, files: ['*.fake', `*.${name}`] }));
  const { check } = await openFolder({ 'a.fake': '\nsay a', 'b.two': 'say b', 'c.one': 'say c' }, servers);
  const report = await check();
  expect(lines(report)).toEqual([
    '/a.fake:2:1 error a (one)',
    '/a.fake:2:1 error a (two)',
    '/b.two:1:1 error b (two)',
    '/c.one:1:1 error c (one)',
  ]);
  expect(report.files).toBe(3);
});

test('servers get no secrets of the environment', async () => {
  vi.stubEnv('DEMO_API_KEY', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { check } = await openFolder({ 'a.fake': 'environment' }, [fakeServer()]);
  const [found] = (await check()).diagnostics;
  expect(found?.message).toContain('PATH');
  expect(found?.message).not.toContain('DEMO_API_KEY');
});

test('servers get answers to what they ask', async () => {
  const asked = [
    'workspace/configuration',
    'client/registerCapability',
    'workspace/workspaceFolders',
    'workspace/applyEdit',
  ];
  const { check } = await openFolder({ 'a.fake': asked.map((method) => `ask ${method}`).join('\n') }, [fakeServer()]);
  expect((await check()).diagnostics.map(({ message }) => message)).toEqual([
    '[null]',
    'null',
    expect.stringMatching(/^\[\{"uri":"\/?","name":"language servers ü-\w+"\}\]$/),
    '{"applied":false,"failureReason":"Files are only checked."}',
  ]);
});

describe('closing', () => {
  test('ends each server with the processes that it has started, by force if need be', async () => {
    const { check, checker } = await openFolder({ 'a.fake': 'pid\nchild\nstubborn' }, [fakeServer()]);
    const pids = (await check()).diagnostics.map(({ message }) => Number(message));
    expect(pids.map(isAlive)).toEqual([true, true]);
    await checker.close();
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]));
  });

  test('aborts a check, also of a server that hangs and does not obey, and allows no other', async () => {
    const files = { 'a.fake': 'stubborn\nnote started.txt\nloop' };
    const { root, check, checker } = await openFolder(files, [fakeServer()]);
    const checked = check();
    const closed = 'The check was aborted because the language servers were closed.';
    const aborted = expect(checked).rejects.toMatchObject(failure('aborted', closed));
    const pid = await vi.waitUntil(() => readFile(join(root, 'started.txt'), 'utf8').catch(() => ''));
    await checker.close();
    await aborted;
    expect(isAlive(Number(pid))).toBe(false);
    await expect(check()).rejects.toMatchObject(failure('aborted', closed));
  });

  test('lets the process exit, which has loaded the protocol only for its first check', async () => {
    const root = await newFolder();
    await writeFiles(root, { 'a.ts': 'const a: string = 1;\n' });
    const script = fileURLToPath(new URL('./test/check-once.ts', import.meta.url));
    const { stdout } = await run(process.execPath, [script, root], { timeout: 8_000 });
    expect(JSON.parse(stdout)).toEqual({ problems: 1, isLoadedBefore: false, isLoadedAfter: true });
  });
});

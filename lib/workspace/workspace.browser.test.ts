import '#lib/workspace/shell/global-buffer.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  CALL,
  describeFileSystem,
  fill,
  increment,
  PERSON,
  readText,
  readTree,
  writeText,
} from '#lib/vfs/test/contract.ts';
import { testGit } from '#lib/vfs/test/git.ts';
import { describeHistory } from '#lib/vfs/test/history-contract.ts';
import { makeVersion1 } from '#lib/vfs/test/version-1.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const opened: Workspace[] = [];

afterEach(() => {
  for (const workspace of opened.splice(0)) workspace.close();
});

/** A workspace opened in one tab: with its own workers, on this browser's real database. */
async function openTab(name: string = crypto.randomUUID()): Promise<Workspace> {
  const workspace = await openWorkspace(name);
  opened.push(workspace);
  return workspace;
}

const openBoth = async () => {
  const { fileSystem, history } = await openTab();
  return Object.assign(fileSystem, { history });
};

describeFileSystem('a workspace in a worker, in IndexedDB', openBoth);
describeHistory('a workspace in a worker, in IndexedDB', openBoth);
testGit('a workspace in a worker, in IndexedDB', openBoth);

describe('two tabs', () => {
  test('[R19] both write two hundred files at once: none is lost, and both see them all', async () => {
    const name = crypto.randomUUID();
    const [a, b] = await Promise.all([openTab(name), openTab(name)]);
    const writes = Array.from({ length: 200 }, (_, index) => [
      writeText(a.fileSystem, `/a/${index}`, `a${index}`),
      writeText(b.fileSystem, `/b/${index}`, `b${index}`),
    ]);
    await Promise.all(writes.flat());
    await Promise.all([a.fileSystem.refresh(), b.fileSystem.refresh()]);
    const tree = await readTree(a.fileSystem);
    expect(Object.keys(tree)).toHaveLength(402);
    expect(await readTree(b.fileSystem)).toEqual(tree);
    const again = await openTab(name);
    expect(await readTree(again.fileSystem)).toEqual(tree);
  });

  test('[R19] incrementing a number in one file from both at once loses no update', async () => {
    const name = crypto.randomUUID();
    const [a, b] = await Promise.all([openTab(name), openTab(name)]);
    await writeText(a.fileSystem, '/n', '0');
    const counts = Array.from({ length: 25 }, () => [increment(a.fileSystem, '/n'), increment(b.fileSystem, '/n')]);
    await Promise.all(counts.flat());
    await b.fileSystem.refresh();
    expect(await readText(b.fileSystem, '/n')).toBe('50');
  });

  test('one is notified of the other’s commit, with its author', async () => {
    const name = crypto.randomUUID();
    const [a, b] = await Promise.all([openTab(name), openTab(name)]);
    const heard: unknown[] = [];
    b.fileSystem.watch((changes) => heard.push(...changes));
    await writeText(a.fileSystem, '/f', 'x', CALL);
    await expect.poll(() => heard).toEqual([{ path: '/f', type: 'created', author: CALL }]);
    expect(await readText(b.fileSystem, '/f')).toBe('x');
  });
});

describe('opening that takes long', () => {
  /** Opens a database as somebody else who has it open, or upgrades it for as long as `isHeld` says. */
  function openElsewhere(name: string, version: number, isHeld = () => false): Promise<IDBDatabase> {
    const request = indexedDB.open(name, version);
    const upgraded = Promise.withResolvers<IDBDatabase>();
    request.onupgradeneeded = () => {
      const log = request.result.createObjectStore('log');
      log.createIndex('toolCallId', 'author.toolCallId');
      for (const store of ['blobs', 'snapshot', 'head']) request.result.createObjectStore(store);
      const goOn = () => {
        if (isHeld()) log.count().onsuccess = goOn;
      };
      goOn();
      if (isHeld()) upgraded.resolve(request.result);
    };
    request.onsuccess = () => upgraded.resolve(request.result);
    return upgraded.promise;
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a tab with an older version that has it open is reported at once, and then it opens', async () => {
    const name = crypto.randomUUID();
    const other = await openElsewhere(name, 4);
    const delays: unknown[] = [];
    const opening = openWorkspace(name, { onDelay: (delay) => delays.push(delay) });
    await expect.poll(() => delays).toEqual(['blocked']);
    other.close();
    opened.push(await opening);
    expect(delays).toEqual(['blocked', undefined]);
  });

  test('any other delay is reported after 2.5 seconds, and then it opens', async () => {
    const name = crypto.randomUUID();
    let isHeld = true;
    const other = await openElsewhere(name, 5, () => isHeld);
    other.addEventListener('versionchange', () => other.close());
    const delays: unknown[] = [];
    const opening = openWorkspace(name, { onDelay: (delay) => delays.push(delay) });
    await vi.advanceTimersByTimeAsync(2_499);
    expect(delays).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(delays).toEqual(['slow']);
    isHeld = false;
    opened.push(await opening);
    expect(delays).toEqual(['slow', undefined]);
  });
});

test('a workspace of the studio’s first version is migrated completely, and can be reopened', async () => {
  const name = crypto.randomUUID();
  const tree = await makeVersion1(name);
  const first = await openTab(name);
  expect(await readTree(first.fileSystem)).toEqual(tree);
  await writeText(first.fileSystem, '/d/f', 'new');
  first.close();
  const second = await openTab(name);
  expect(await readTree(second.fileSystem)).toEqual({ ...tree, '/d/f': 'new' });
});

describe('size', () => {
  test('10 MB files, 100 levels and 5,000 files in one commit survive a reload', async () => {
    const name = crypto.randomUUID();
    const { fileSystem, close } = await openTab(name);
    const large = new Uint8Array(10_000_000).map((_, index) => index % 251);
    const deep = `/${Array.from({ length: 100 }, (_, level) => `level${level}`).join('/')}/file`;
    await fileSystem.transaction(
      PERSON,
      async (tx) => {
        tx.writeFile('/large', large);
        tx.writeFile(deep, new TextEncoder().encode('deep'));
        for (let index = 0; index < 5_000; index++)
          tx.writeFile(`/many/${index}`, new TextEncoder().encode(`${index}`));
      },
      { durability: 'strict' },
    );
    close();
    const again = (await openTab(name)).fileSystem;
    expect(await again.readFile('/large')).toEqual(large);
    expect(await readText(again, deep)).toBe('deep');
    expect(await again.readdir('/many')).toHaveLength(5_000);
    expect(await readText(again, '/many/4999')).toBe('4999');
  });
});

describe('the worker that runs commands and searches', () => {
  const limits = () => ({ abortSignal: new AbortController().signal });
  const bash = (workspace: Workspace, command: string, timeoutMs = 10_000) =>
    workspace.runner.run(command, { cwd: '/', author: { type: 'call', toolCallId: 'call-1' }, timeoutMs, ...limits() });

  test('when the workspace is closed, running and later tasks reject at once', async () => {
    const workspace = await openTab();
    await bash(workspace, 'true');
    const settled = Promise.allSettled([bash(workspace, 'while true; do :; done'), workspace.runner.zip(new Map())]);
    workspace.close();
    const [running, waiting] = await settled;
    expect(running.status).toBe('rejected');
    expect(waiting).toMatchObject({
      status: 'rejected',
      reason: { message: 'Stopped because the workspace was closed.' },
    });
    await expect(workspace.runner.zip(new Map())).rejects.toThrow('the workspace was closed');
  }, 5_000);

  test('sees what the page has just committed, and the page sees what a command did', async () => {
    const workspace = await openTab();
    await fill(workspace.fileSystem, { '/src/a.txt': 'needle\n' });
    const query = { pattern: 'needle', path: '/', isLiteral: true, ignoreCase: false, contextLines: 0, limit: 10 };
    expect((await workspace.runner.text(query, limits())).matches).toMatchObject([{ path: '/src/a.txt', line: 1 }]);
    expect(await bash(workspace, 'cp -r src copy && cat copy/a.txt')).toMatchObject({
      stdout: 'needle\n',
      exitCode: 0,
    });
    expect(await readText(workspace.fileSystem, '/copy/a.txt')).toBe('needle\n');
    expect(await workspace.history.pointAfter('call-1')).toBe(workspace.history.sequence);
  });

  test('is terminated if a command never finishes; the next task finds a consistent workspace', async () => {
    const workspace = await openTab();
    await fill(workspace.fileSystem, { '/f': 'x' });
    await expect(bash(workspace, 'while true; do date > /clock; done', 1_000)).rejects.toMatchObject({
      name: 'ToolFailure',
      code: 'timed-out',
    });
    expect(await bash(workspace, 'cat f; ls')).toMatchObject({ stdout: expect.stringContaining('clock'), exitCode: 0 });
  });

  test('a command that deletes everything is undone, and all files are as before', async () => {
    const workspace = await openTab();
    await fill(workspace.fileSystem, { '/d/f': 'x', '/g': 'y' });
    const before = await readTree(workspace.fileSystem);
    for (const command of ['rm -rf /*', 'rm -r *', 'find / -mindepth 1 -delete'])
      await expect(bash(workspace, command)).rejects.toThrow('deleted the whole workspace');
    expect(await readTree(workspace.fileSystem)).toEqual(before);
  });
});

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { whileLocked } from './file-lock.ts';
import { self } from './owner.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);

/** Runs code in a process of its own, which can use `whileLocked` and files. */
const elsewhere = (code: string) =>
  promisify(execFile)(
    process.execPath,
    [
      ...['--input-type=module', '--eval'],
      `import { whileLocked } from '#lib/base/processes/file-lock.ts'; import { readFileSync, writeFileSync } from 'node:fs'; ${code}`,
    ],
    { cwd: ROOT },
  );

test('what several processes count at once is counted completely', async () => {
  writeFileSync(at('count'), '0');
  const count = `for (let i = 0; i < 100; i++) whileLocked(${JSON.stringify(at('lock'))}, () => {
    writeFileSync(${JSON.stringify(at('count'))}, String(Number(readFileSync(${JSON.stringify(at('count'))}, 'utf8')) + 1));
  });`;
  await Promise.all([elsewhere(count), elsewhere(count), elsewhere(count), elsewhere(count)]);
  expect(readFileSync(at('count'), 'utf8')).toBe('400');
  expect(readdirSync(folder)).toEqual(['count']);
});

test('a lock that a killed process has left is taken over at once', async () => {
  await elsewhere(`whileLocked(${JSON.stringify(at('lock'))}, () => process.kill(process.pid, 'SIGKILL'));`).catch(
    () => undefined,
  );
  expect(existsSync(at('lock'))).toBe(true);
  const startedAt = performance.now();
  expect(whileLocked(at('lock'), () => 'done')).toBe('done');
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect(readdirSync(folder)).toEqual([]);
});

test('an error ends the lock, too', () => {
  const fail = () => {
    throw new Error('no');
  };
  expect(() => whileLocked(at('lock'), fail)).toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock that others hold for too long is an error that names the file', () => {
  writeFileSync(at('lock'), JSON.stringify({ ...self, id: 'other' }));
  expect(() => whileLocked(at('lock'), () => 'done', 100)).toThrow(`${at('lock')} is held by another process.`);
});

test('a folder that cannot be written is an error of the system', () => {
  expect(() => whileLocked(join(folder, 'none', 'lock'), () => 'done')).toThrow('ENOENT');
});

test('a lock names its process from the moment that it is there', async () => {
  const taking = elsewhere(
    `for (let i = 0; i < 20_000; i++) whileLocked(${JSON.stringify(at('lock'))}, () => undefined);`,
  );
  let isOver = false;
  void taking.finally(() => {
    isOver = true;
  });
  let seen = 0;
  let withoutOwner = 0;
  while (!isOver) {
    for (let n = 0; n < 500; n++) {
      const text = textAt(at('lock'));
      if (text !== undefined) seen++;
      if (text === '') withoutOwner++;
    }
    await setImmediate();
  }
  await taking;
  expect(seen).toBeGreaterThan(100);
  expect(withoutOwner).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

function textAt(place: string): string | undefined {
  try {
    return readFileSync(place, 'utf8');
  } catch {
    return undefined;
  }
}

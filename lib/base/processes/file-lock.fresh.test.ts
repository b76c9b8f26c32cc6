import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { whileLocked } from './file-lock.ts';
import { readOwner, self } from './owner.ts';

vi.mock('node:fs', async (importOriginal) => ({
  ...(await importOriginal<typeof fs>()),
  linkSync() {
    throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
  },
}));

test('a file system without links has locks, too', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'file-lock-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const place = join(folder, 'lock');
  expect(whileLocked(place, () => readOwner(place)?.id)).toBe(self.id);
  expect(fs.readdirSync(folder)).toEqual([]);
  fs.writeFileSync(place, JSON.stringify({ ...self, id: 'other' }));
  expect(() => whileLocked(place, () => 'done', 50)).toThrow('is held by another process.');
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Sandbox } from './sandbox.ts';
import { hasOwnThread } from './thread-probe.ts';

vi.mock('./thread-probe.ts');
vi.mock('./frame.ts', () => ({
  Frame: { open: async (host: unknown) => ({ host, close: () => undefined }) },
  FrameNotStarted: class extends Error {},
}));

beforeEach(() => vi.stubGlobal('location', { origin: 'http://localhost:3000' }));

afterEach(() => vi.unstubAllGlobals());

test('a page that was taken for one that shares its thread is asked again, until it does not', async () => {
  const sandbox = new Sandbox(undefined);
  const { signal } = new AbortController();
  vi.mocked(hasOwnThread).mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  expect(await sandbox.isApart(signal)).toBe(false);
  expect(await sandbox.isApart(signal)).toBe(true);
  expect(await sandbox.isApart(signal)).toBe(true);
  expect(hasOwnThread).toHaveBeenCalledTimes(2);
});

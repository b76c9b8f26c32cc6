import { expect, test, vi } from 'vitest';
import { laterTransport } from './later-transport.ts';
import { ConnectionError, type Transport } from './transport.ts';

const state = { revision: 'r' };
const real = { threadState: async () => state } as unknown as Transport;

test('a transport is loaded when it is first used, and once', async () => {
  const load = vi.fn(async () => real);
  const transport = laterTransport(load);
  expect(load).not.toHaveBeenCalled();
  expect(await transport.threadState('t')).toBe(state);
  expect(await transport.threadState('t')).toBe(state);
  expect(load).toHaveBeenCalledTimes(1);
});

test('one that cannot be loaded is a broken connection, until it can be', async () => {
  const load = vi
    .fn<() => Promise<Transport>>()
    .mockRejectedValueOnce(new TypeError('offline'))
    .mockResolvedValue(real);
  const transport = laterTransport(load);
  await expect(transport.threadState('t')).rejects.toThrow(ConnectionError);
  expect(await transport.threadState('t')).toBe(state);
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resolveModelConfig } from './config.ts';
import { ServedWindows } from './served-windows.ts';

/** A llama.cpp server that says what it serves, or stays silent. */
let window: number | 'silent' = 8_192;
let asked = 0;
const server = createServer((request, response) => {
  if (request.url !== '/props') {
    response.writeHead(404).end();
    return;
  }
  asked++;
  if (window !== 'silent') response.end(JSON.stringify({ default_generation_settings: { n_ctx: window } }));
});

let baseURL = '';
beforeEach(async () => {
  [window, asked] = [8_192, 0];
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const local = () => resolveModelConfig({ provider: 'local', model: 'm', baseURL, toolCalling: 'auto' });
const own = () => ({ fetch: globalThis.fetch, allows: () => true });

test('a server is asked once, and again when its answer is old', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const windows = new ServedWindows();
  expect(windows.known(local())).toBeUndefined();
  expect(await windows.of(local(), undefined, undefined)).toBe(8_192);
  window = 4_096;
  expect(await windows.of(local(), undefined, undefined)).toBe(8_192);
  expect(windows.known(local())).toBe(8_192);
  expect(asked).toBe(1);
  vi.setSystemTime(Date.now() + 60_000);
  expect(await windows.of(local(), undefined, undefined)).toBe(4_096);
});

test('a server that is silent is not waited for, and what it said before counts', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const windows = new ServedWindows();
  window = 'silent';
  expect(await windows.of(local(), undefined, undefined)).toBeUndefined();
  window = 8_192;
  expect(await windows.of(local(), undefined, undefined)).toBeUndefined();
  vi.setSystemTime(Date.now() + 60_000);
  expect(await windows.of(local(), undefined, undefined)).toBe(8_192);
  window = 'silent';
  vi.setSystemTime(Date.now() + 60_000);
  expect(await windows.of(local(), undefined, undefined)).toBe(8_192);
});

test('what is said to a person’s own connection does not count for the server’s models', async () => {
  const windows = new ServedWindows();
  expect(await windows.of(local(), 'key', own())).toBe(8_192);
  expect(windows.known(local())).toBeUndefined();
  window = 4_096;
  expect(await windows.of(local(), undefined, undefined)).toBe(4_096);
  expect(await windows.of(local(), 'key', own())).toBe(8_192);
});

test('an address that may not be called is not', async () => {
  expect(await new ServedWindows().of(local(), 'key', { ...own(), allows: () => false })).toBeUndefined();
  expect(asked).toBe(0);
});

test('a provider at its own address is not asked', async () => {
  const fetch = vi.fn();
  const config = resolveModelConfig({ provider: 'openai', model: 'gpt', toolCalling: 'auto' });
  expect(await new ServedWindows().of(config, 'key', { fetch, allows: () => true })).toBeUndefined();
  expect(fetch).not.toHaveBeenCalled();
});

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { StudioChunk } from '#lib/messages/chunk.ts';
import { createLog } from '#log/log.ts';
import { Metrics, serveMetrics } from './metrics.ts';

const step = (inputTokens: number, outputTokens: number): StudioChunk => ({
  type: 'data-step-end',
  data: { finishReason: 'stop', usage: { inputTokens, outputTokens }, durationMs: 1, notices: [] },
});

const linesOf = async (metrics: Metrics, name: string): Promise<string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name));

test('runs are counted by model and outcome, with their tokens and their first chunks', async () => {
  const metrics = new Metrics();
  const one = metrics.begin({ provider: 'openai', model: 'gpt', isPersonal: false });
  const other = metrics.begin({ provider: 'local', model: 'my secret model', isPersonal: true });
  expect(await linesOf(metrics, 'studio_runs_active')).toEqual(['studio_runs_active 2']);
  one.chunk({ type: 'start' });
  expect(await linesOf(metrics, 'studio_first_chunk_seconds_count')).toEqual([]);
  one.chunk({ type: 'text-start', id: 't' });
  one.chunk({ type: 'text-delta', id: 't', delta: 'Hello' });
  one.chunk(step(10, 3));
  one.chunk(step(20, 4));
  one.end('finished');
  other.end({ failed: 'rate-limited' });
  expect(await linesOf(metrics, 'studio_runs_active')).toEqual(['studio_runs_active 0']);
  expect(await linesOf(metrics, 'studio_first_chunk_seconds_count')).toEqual([
    'studio_first_chunk_seconds_count{provider="openai",model="gpt"} 1',
  ]);
  expect(await linesOf(metrics, 'studio_tokens_total')).toEqual([
    'studio_tokens_total{provider="openai",model="gpt",direction="input"} 30',
    'studio_tokens_total{provider="openai",model="gpt",direction="output"} 7',
  ]);
  expect(await linesOf(metrics, 'studio_runs_ended_total')).toEqual([
    'studio_runs_ended_total{provider="openai",model="gpt",outcome="finished"} 1',
    'studio_runs_ended_total{provider="local",model="personal",outcome="failed: rate-limited"} 1',
  ]);
  expect(await metrics.text()).not.toContain('secret');
});

test('the port of the metrics serves nothing else', async () => {
  const server = serveMetrics(new Metrics(), { port: 0, host: '127.0.0.1' }, createLog('silent'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  expect(await response.text()).toMatch(/nodejs_eventloop_lag_seconds|process_resident_memory_bytes/);
  expect((await fetch(`${url}/`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
});

test('a port that is taken is said in the log, and nothing else happens', async () => {
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const first = serveMetrics(new Metrics(), { port: 0, host: '127.0.0.1' }, log);
  await once(first, 'listening');
  const { port } = first.address() as AddressInfo;
  const second = serveMetrics(new Metrics(), { port, host: '127.0.0.1' }, log);
  onTestFinished(() => {
    first.close();
    second.close();
  });
  await expect.poll(() => lines.join('')).toContain('EADDRINUSE');
});

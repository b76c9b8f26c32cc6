import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LocalServer, sendJson, startLocalServer } from '#server/test/local-server.ts';
import { processEvaluator } from './evaluator.ts';
import { readOptions } from './options.ts';
import { readRecords } from './records.ts';
import { playAll } from './run.ts';

/** The server's replies to the requests, in order; the last one again and again. */
let replies: (string | number)[] = [];
let server: LocalServer;
let folder = '';

const chunk = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ id: '1', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bench-'));
  server = await startLocalServer(({ path }, response) => {
    if (path === '/v1/models') return sendJson(response, 200, { data: [{ id: 'm' }] });
    if (path !== '/v1/chat/completions') return sendJson(response, 404, {});
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? '';
    if (typeof reply === 'number') {
      response.writeHead(reply, { 'content-type': 'application/json', 'retry-after-ms': '1' });
      return void response.end(JSON.stringify({ error: { message: 'Loading model' } }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${chunk({ role: 'assistant', content: reply })}${chunk({}, 'stop')}data: [DONE]\n\n`);
  });
});

afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

function play(...more: string[]): Promise<boolean> {
  const args = `--url ${server.url}/v1 --model m --arm object --language en --kind write --tries 1 --context 8192`;
  const output = join(folder, 'results.jsonl');
  return playAll(readOptions([...args.split(' '), '--output', output, ...more]), () => undefined);
}

const records = () => readRecords(join(folder, 'results.jsonl'));
const requests = () => server.requests.filter(({ path }) => path === '/v1/chat/completions').length;

describe('playing with a server', () => {
  test('what it cannot answer at the moment is not recorded, and played again', async () => {
    replies = [503];
    expect(await play()).toBe(false);
    expect(records()).toEqual([]);
    replies = ['I cannot.'];
    expect(await play()).toBe(true);
    expect(records().length).toBeGreaterThan(3);
    expect(records().every(({ failure }) => failure === 'prose')).toBe(true);
  });

  test('an empty reply that is asked for again does not count as a step', async () => {
    const call = { name: 'write_file', arguments: { path: '/hello.txt', content: 'hello' } };
    const made = `\`\`\`json\n${JSON.stringify(call)}\n\`\`\``;
    replies = ['', made, 'Done.'];
    await play();
    const [withEmpty] = records();
    expect(withEmpty?.played?.calls).toHaveLength(1);
    expect(withEmpty?.played?.replies.map(({ text }) => text)).toEqual([made, 'Done.']);
  });

  test('results with other settings are tries of their own', async () => {
    replies = ['I cannot.'];
    await play();
    const before = requests();
    await play();
    expect(requests()).toBe(before);
    await play('--temperature', '0');
    expect(requests()).toBe(2 * before);
    expect(new Set(records().map(({ temperature }) => temperature))).toEqual(new Set([0.7, 0]));
  });
});

test('code that ignores its end is ended', async () => {
  const code = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); new Promise(() => {})';
  const evaluation = processEvaluator.evaluate(code, {
    timeoutMs: 500,
    abortSignal: new AbortController().signal,
    files: { read: async () => '', write: async () => undefined, list: async () => [] },
  });
  await expect(evaluation).rejects.toMatchObject({ code: 'timed-out' });
});

// The overhead of our route: the time to the first token, and the time from a call's last byte to the next request.
// Both are measured with a scripted server that responds at once, next to a plain `streamText` route.
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { chromium, type Page } from '@playwright/test';
import { createUIMessageStreamResponse, streamText, toUIMessageStream } from 'ai';
import { TestBench } from '#e2e/lib/bench.ts';
import { readCall } from '#e2e/lib/prompt.ts';
import { StudioPage } from '#e2e/lib/studio-page.ts';
import { sha256 } from '#lib/base/sha256.ts';
import { catalogueText } from '#lib/tools/core/catalogue.ts';
import { fragments, toolRegistry } from '#lib/tools/toolsets.ts';
import { launchOptions } from '#scripts/lib/browser.ts';
import { inFull, verdict } from './lib/options.ts';

const ROUNDS = inFull(200, 3);
const WARM_UP = inFull(100, 1);
const CALLS = inFull(60, 3);

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
const format = (ms: number): string => `${ms.toFixed(1)} ms`;

const text = catalogueText(toolRegistry.list(), fragments);
const catalogue = await sha256(text);

const bench = await TestBench.start({ LOG_LEVEL: 'warn', AGENT_MAX_STEPS: '100' });
const peer = await startPeer(bench.model.url);
try {
  await sendCatalogue();
  await benchFirstToken();
  await benchRoundTrip();
} finally {
  peer.close();
  await bench.stop();
}

/** Like a page, which sends the text once. */
async function sendCatalogue(): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { ok } = await fetch(`${bench.url}/api/catalogues`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ text }),
  });
  if (!ok) throw new Error('The server refused the catalogue.');
}

async function benchFirstToken(): Promise<void> {
  const text = 'Hello there, this is an answer of a few words.';
  const times = { direct: [] as number[], plain: [] as number[], ours: [] as number[] };
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const prompt = `first token ${round}`;
    bench.model.script(prompt, [{ text, piece: 8 }]);
    const direct = await timeToText(
      `${bench.model.url}/chat/completions`,
      { model: 'scripted', stream: true, messages: [{ role: 'user', content: prompt }] },
      '"content":"Hello',
    );
    const plain = await timeToText(peer.url, { prompt }, '"delta":"Hello');
    const ours = await timeToText(`${bench.url}/api/chat`, chatRequest(prompt, round), '"delta":"Hello');
    if (round < WARM_UP) continue;
    times.direct.push(direct);
    times.plain.push(plain);
    times.ours.push(ours);
  }
  const added = (values: readonly number[]) => values.map((value, index) => value - (times.direct[index] ?? 0));
  const ours = median(added(times.ours));
  const plain = median(added(times.plain));
  console.log(`Time to the first token, ${ROUNDS} rounds, medians`);
  console.log(`  model server directly        ${format(median(times.direct))}`);
  console.log(`  plain streamText route adds  ${format(plain)}`);
  console.log(
    `  our route adds               ${format(ours)}  (p95 ${format(percentile(added(times.ours), 0.95))}), ${(ours / plain).toFixed(2)} times the plain route${verdict('limit 15 ms', ours <= 15)}`,
  );
}

async function benchRoundTrip(): Promise<void> {
  const chrome = await chromium.launch(launchOptions());
  const newPage = async () => (await chrome.newContext({ baseURL: bench.url, locale: 'en-US' })).newPage();
  // One run to warm up, and one that counts.
  await readManyTimes(await newPage(), 'warm up');
  const gaps = await readManyTimes(await newPage(), 'measure');
  await chrome.close();
  const result = median(gaps);
  console.log(
    `From the last byte of a read_file call to the next model request, ${gaps.length} calls in a real browser`,
  );
  console.log(
    `  median ${format(result)}  (p95 ${format(percentile(gaps, 0.95))})${verdict('limit 60 ms', result <= 60)}`,
  );
}

/** Lets the model read a file repeatedly in a new thread; returns the milliseconds between its steps. */
async function readManyTimes(page: Page, prompt: string): Promise<number[]> {
  const studio = new StudioPage(page);
  bench.model.script(prompt, [
    ...Array.from({ length: CALLS }, () => ({ calls: readCall('/a.txt'), piece: 64 })),
    { text: 'Done.' },
  ]);
  await studio.open({ files: { '/a.txt': 'alpha' } });
  await studio.say(prompt);
  const steps = () => bench.model.timing.filter((step) => step.prompt === prompt);
  // Polled from here, because polling in the page would slow it down.
  while (steps().length <= CALLS) await setTimeout(50);
  await studio.settled();
  await page.close();
  return steps().flatMap(({ arrivedAt }, index, all) => {
    const endedAt = all[index - 1]?.endedAt;
    return endedAt === undefined ? [] : [arrivedAt - endedAt];
  });
}

function chatRequest(text: string, round: number): unknown {
  return {
    threadId: `bench-${round}`,
    runId: `run-${round}`,
    revision: null,
    head: null,
    turnId: `turn-${round}`,
    action: {
      type: 'turn',
      message: { id: `message-${round}`, role: 'user', createdAt: 1, parts: [{ type: 'text', text }] },
    },
    settings: { model: 'scripted', toolCalling: 'native', toolsets: ['browser', 'files'], systemPrompt: '' },
    catalogue,
  };
}

/** Milliseconds from the request to the chunk that contains the first word; reads the rest as well. */
async function timeToText(url: string, body: unknown, marker: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const decoder = new TextDecoder();
  let seen = '';
  let at = Number.NaN;
  for await (const bytes of response.body ?? []) {
    if (Number.isNaN(at)) {
      seen += decoder.decode(bytes, { stream: true });
      if (seen.includes(marker)) at = performance.now() - startedAt;
    }
  }
  if (Number.isNaN(at)) throw new Error(`${url} never said ${marker}: ${seen.slice(0, 500)}`);
  return at;
}

/** The peer: a chat route as in the AI SDK's documentation, without graph, checkpoints or runs. */
async function startPeer(modelUrl: string): Promise<{ url: string; close(): void }> {
  const model = createOpenAICompatible({ name: 'peer', baseURL: modelUrl, includeUsage: true })('scripted');
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    const { prompt } = JSON.parse(body) as { prompt: string };
    const result = streamText({ model, prompt });
    const answer = createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream }) });
    response.writeHead(200, Object.fromEntries(answer.headers));
    for await (const bytes of answer.body ?? []) response.write(bytes);
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`, close: () => server.close() };
}

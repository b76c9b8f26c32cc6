// The overhead of our route: the time to the first token, and the time from a call's last byte to the next request.
// Both are measured with a scripted server that responds at once, next to a plain `streamText` route: in an app of Next.js,
// as in the AI SDK's documentation and as ours is, and in a bare server of Node.
import { createServer } from 'node:http';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { chromium } from '@playwright/test';
import { createUIMessageStreamResponse, streamText, toUIMessageStream } from 'ai';
import { TestBench } from '#e2e/lib/bench.ts';
import { launchOptions } from '#scripts/lib/browser.ts';
import { median } from './lib/median.ts';
import { inFull, verdict } from './lib/options.ts';
import { ANSWER, sendCatalogue, timeDirectly, timePlainRoute, timeStudio } from './loop/first-token.ts';
import { startPlainApp } from './loop/plain-app.ts';
import { timeRoundTrips } from './loop/round-trips.ts';

const ROUNDS = inFull(200, 3);
const WARM_UP = inFull(100, 1);
const CALLS = inFull(60, 3);

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
const format = (ms: number): string => `${ms.toFixed(1)} ms`;

const bench = await TestBench.start({ LOG_LEVEL: 'warn', AGENT_MAX_STEPS: '100' });
const plainApp = await startPlainApp(bench.model.url);
const bareServer = await startBareServer(bench.model.url);
try {
  await sendCatalogue(bench.url);
  await benchFirstToken();
  await benchRoundTrip();
} finally {
  bareServer.close();
  await plainApp.stop();
  await bench.stop();
}

async function benchFirstToken(): Promise<void> {
  const times = { direct: [] as number[], bare: [] as number[], app: [] as number[], ours: [] as number[] };
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const prompt = `first token ${round}`;
    bench.model.script(prompt, [ANSWER]);
    const direct = await timeDirectly(bench.model.url, prompt);
    const inBareServer = await timePlainRoute(bareServer.url, prompt);
    const inApp = await timePlainRoute(`${plainApp.url}/api/chat`, prompt);
    const ours = await timeStudio(bench.url, prompt);
    if (round < WARM_UP) continue;
    times.direct.push(direct);
    times.bare.push(inBareServer);
    times.app.push(inApp);
    times.ours.push(ours);
  }
  const added = (values: readonly number[]) => values.map((value, index) => value - (times.direct[index] ?? 0));
  const ours = median(added(times.ours));
  const [bare, app] = [median(added(times.bare)), median(added(times.app))];
  console.log(`Time to the first token, ${ROUNDS} rounds, medians`);
  console.log(`  model server directly                     ${format(median(times.direct))}`);
  console.log(`  plain streamText route, bare server, adds ${format(bare)}`);
  console.log(`  plain streamText route, Next.js, adds     ${format(app)}`);
  console.log(
    `  our route adds                            ${format(ours)}  (p95 ${format(percentile(added(times.ours), 0.95))}), ${(ours / app).toFixed(2)} times the one in Next.js, ${(ours / bare).toFixed(2)} times the bare one${verdict('limit 8 ms, and 2 times the bare one', ours <= 8 && ours <= 2 * bare)}`,
  );
}

async function benchRoundTrip(): Promise<void> {
  const chrome = await chromium.launch(launchOptions());
  const newPage = async () => (await chrome.newContext({ baseURL: bench.url, locale: 'en-US' })).newPage();
  // One run to warm up, and one that counts.
  await timeRoundTrips(bench, await newPage(), CALLS);
  const gaps = await timeRoundTrips(bench, await newPage(), CALLS);
  await chrome.close();
  const result = median(gaps);
  console.log(
    `From the last byte of a read_file call to the next model request, ${gaps.length} calls in a real browser`,
  );
  console.log(
    `  median ${format(result)}  (p95 ${format(percentile(gaps, 0.95))})${verdict('limit 60 ms', result <= 60)}`,
  );
}

/** The same chat route in this process, without Next.js. */
async function startBareServer(modelUrl: string): Promise<{ url: string; close(): void }> {
  const model = createOpenAICompatible({ name: 'plain', baseURL: modelUrl, includeUsage: true })('scripted');
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

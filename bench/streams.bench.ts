// Many answers at once in one process: how much later their chunks arrive than from the model itself, how long a first word takes
// meanwhile, and how much memory a reader takes in a process that does not own the run. The peers are the same readers at the
// model's server, and a plain `streamText` route under the same load.
import { delay } from '#lib/base/delay.ts';
import { startServer } from '#scripts/lib/server.ts';
import { streamQuestion } from './cluster/conversation.ts';
import { startMemoryCluster } from './cluster/memory.ts';
import { delaysTogether, post } from './cluster/readers.ts';
import { chatRequestOf } from './cluster/requests.ts';
import { startPacedModel } from './cluster/start.ts';
import { median } from './lib/median.ts';
import { benchArguments, inFull, verdict } from './lib/options.ts';
import { startPlainApp } from './loop/plain-app.ts';

/** `npm run bench -- streams 300` measures with this many answers at once. */
const STREAMS = inFull(Number(benchArguments[0] ?? 150), 5);
/** The chunks of each answer, 20 a second. */
const WORDS = inFull(500, 20);
/** The time within which all answers begin. */
const BEGIN_MS = inFull(10_000, 100);
/** First words that are timed while answers are written. */
const FIRST_WORDS = inFull(20, 1);

/** The answers that are followed in a process that does not own them. */
const FOLLOWED = inFull(100, 3);
const FEW = 1;

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
const format = (ms: number): string => `${ms.toFixed(1)} ms`;

/** A way to get an answer: an address, and the body of the request for the answer to a question. */
interface Route {
  url: string;
  body(question: string): unknown;
}

const model = await startPacedModel();
const question = streamQuestion(WORDS);
const direct: Route = {
  url: `${model.baseURL}/chat/completions`,
  body: (content) => ({ model: 'paced', stream: true, messages: [{ role: 'user', content }] }),
};
try {
  const bare = await measure(direct);
  const plainApp = await startPlainApp(model.baseURL);
  const plain = await measure({ url: `${plainApp.url}/api/chat`, body: (prompt) => ({ prompt }) }).finally(() =>
    plainApp.stop(),
  );
  const studio = await startServer({ env: model.env });
  const ours = await measure({ url: `${studio.url}/api/chat`, body: chatRequestOf }).finally(() => studio.stop());
  console.log(`${STREAMS} answers at once in one process, 20 chunks a second each, ${ours.delays.length} chunks`);
  print('read from the model', bare);
  print('plain streamText route, Next.js', plain);
  print('the studio', ours);
  const added = percentile(ours.delays, 0.95) - percentile(bare.delays, 0.95);
  console.log(`  The studio adds ${format(added)} (p95)${verdict('limit 50 ms', added < 50)}`);
  const [addedFirst, plainFirst] = [ours, plain].map(({ first }) => first - bare.first) as [number, number];
  console.log(
    `  To the first word, it adds ${format(addedFirst)}, ${(addedFirst / plainFirst).toFixed(2)} times what the plain route adds${verdict('limit 8 ms, and 2 times', addedFirst <= 8 && addedFirst <= 2 * plainFirst)}`,
  );
  await benchMemory();
} finally {
  model.stop();
}

interface Measured {
  /** The delays of chunks, in milliseconds. */
  delays: number[];
  /** The median time to the first word while all answers are being written, in milliseconds. */
  first: number;
}

function print(name: string, { delays, first }: Measured): void {
  const [p50, p95] = [0.5, 0.95].map((share) => format(percentile(delays, share)));
  console.log(`  ${name.padEnd(32)} p50 ${p50}, p95 ${p95}; first word, median ${format(first)}`);
}

async function measure(route: Route): Promise<Measured> {
  // One answer to warm up.
  await (await ask(route, streamQuestion(20))).text();
  const timeFirstWords = async (): Promise<number> => {
    await delay(BEGIN_MS + inFull(2_000, 200));
    const firsts: number[] = [];
    for (let n = 0; n < FIRST_WORDS; n++) firsts.push(await timeToFirstWord(route));
    return median(firsts);
  };
  const [delays, first] = await Promise.all([
    delaysTogether(STREAMS, BEGIN_MS, () => ask(route, question)),
    timeFirstWords(),
  ]);
  return { delays, first };
}

function ask({ url, body }: Route, text: string): Promise<Response> {
  return post(url, body(text));
}

/** The time from a request to the first chunk of its answer, in milliseconds. */
async function timeToFirstWord(route: Route): Promise<number> {
  const startedAt = performance.now();
  const response = await ask(route, streamQuestion(1));
  let at = Number.NaN;
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
    if (Number.isNaN(at) && /@\d{13} /.test(text)) at = performance.now() - startedAt;
  return at;
}

/** Measures what readers take in the memory of a process that does not own the runs. */
async function benchMemory(): Promise<void> {
  const { cluster, owner, other, usedBy } = await startMemoryCluster(model);
  try {
    /** The memory in use, in bytes, while this many answers are read there. */
    const following = async (streams: number): Promise<number> => {
      const follow = async (): Promise<Response> => {
        const request = chatRequestOf(question);
        const posted = await post(`${owner.url}/api/chat`, request);
        void posted.body?.cancel();
        return fetch(`${other.url}/api/chat/${request.threadId}?run=${request.runId}&from=0`);
      };
      const [bytes] = await Promise.all([
        delay(BEGIN_MS + inFull(3_000, 200)).then(() => usedBy(other)),
        delaysTogether(streams, BEGIN_MS, follow),
      ]);
      return bytes;
    };
    await following(FEW);
    const each = ((await following(FOLLOWED)) - (await following(FEW))) / (FOLLOWED - FEW);
    console.log(
      `Memory of a process for each answer that is read there and written by another one, ${FOLLOWED} at once: ${(each / 1_000).toFixed(0)} kB${verdict('limit 100 kB', each <= 100_000)}`,
    );
  } finally {
    await cluster.stop();
  }
}

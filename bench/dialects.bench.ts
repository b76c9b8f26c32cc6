// Replies of servers as public reports describe them (docs/SERVERS.md): how many arrive as they should in the studio's
// reader with the AI SDK behind it, and in the AI SDK alone, as in an app with `streamText` and
// `@ai-sdk/openai-compatible`. Then the time that both take for a long reply, interleaved in one run.
import { chatFetch } from '#models/dialects/chat-fetch.ts';
import { differenceIn } from '#models/dialects/test/judge.ts';
import { REPLIES } from '#models/dialects/test/odd-reply.ts';
import { eventStream, receive } from '#models/dialects/test/receive.ts';
import { median } from './lib/median.ts';

const isShort = process.argv.includes('--short');
const ROUNDS = isShort ? 2 : 20;
const CHARACTERS = isShort ? 10_000 : 1_048_576;

const kinds = [...new Set(REPLIES.map(({ kind }) => kind))];
const right = { studio: new Map<string, number>(), sdk: new Map<string, number>() };
for (const reply of REPLIES) {
  const response = () => new Response(reply.body, { status: reply.status, headers: reply.headers });
  const plain: typeof fetch = async () => response();
  for (const [side, request] of [
    ['studio', chatFetch(plain)],
    ['sdk', plain],
  ] as const)
    if (differenceIn(reply, await receive(request)) === undefined)
      right[side].set(reply.kind, (right[side].get(reply.kind) ?? 0) + 1);
}
console.log(`Replies that arrive as they should, of ${REPLIES.length}:`);
for (const kind of kinds) {
  const all = REPLIES.filter((reply) => reply.kind === kind).length;
  console.log(`  ${kind}: studio ${right.studio.get(kind) ?? 0} of ${all}, SDK alone ${right.sdk.get(kind) ?? 0}`);
}
const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
console.log(`  all: studio ${total(right.studio)}, SDK alone ${total(right.sdk)}`);

const events = Array.from({ length: CHARACTERS / 4 }, () =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_764_300_000,
    model: 'm',
    choices: [{ index: 0, delta: { content: 'abcd' }, finish_reason: null }],
  }),
);
const body = await eventStream([
  ...events,
  JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  '[DONE]',
]).arrayBuffer();
const long: typeof fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
const times: Record<'studio' | 'sdk', number[]> = { studio: [], sdk: [] };
for (let round = 0; round <= ROUNDS; round++)
  for (const [side, request] of [
    ['studio', chatFetch(long)],
    ['sdk', long],
  ] as const) {
    const since = performance.now();
    const { text, errors } = await receive(request);
    if (text.length !== CHARACTERS || errors.length > 0)
      throw new Error(`${side}: ${text.length} characters, ${errors}`);
    // The first round warms up.
    if (round > 0) times[side].push(performance.now() - since);
  }
const [studio, sdk] = [median(times.studio), median(times.sdk)];
console.log(
  `${CHARACTERS} characters, 4 in each event: studio ${studio.toFixed(0)} ms, SDK alone ${sdk.toFixed(0)} ms, ratio ${(studio / sdk).toFixed(2)} (medians of ${ROUNDS} rounds)`,
);

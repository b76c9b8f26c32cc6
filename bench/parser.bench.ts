// The parser of prompted tool calls, compared with a peer in the same run, and with itself at twice the length.
// npm run bench -- parser
import { performance } from 'node:perf_hooks';
import { createProtocolParser } from '#lib/prompts/parser.ts';
import { median } from './lib/median.ts';
import { inFull, verdict } from './lib/options.ts';
import { ADVERSARIES, CALLS, CHUNK, chunks, prose, timeParser, writeFile } from './parser/inputs.ts';
import { hermesProtocol, morphXmlProtocol } from './peers/parser.ts';

/** The length of a long reply, and of a file in a call. */
const REPLY = inFull(1_000_000, 10_000);
const FILE = inFull(200_000, 2_000);
const ROUNDS = inFull(5, 1);
/** When the peer is stopped; its time is then a lower bound. */
const PATIENCE_MS = inFull(30_000, 300);
const LIMIT_AGAINST_PEER = 10;
const LIMIT_AT_TWICE = 2.2;

const size = (length: number): string => (length < 1_000_000 ? `${length / 1_000} KB` : `${length / 1_000_000} MB`);

const timeOurs = (reply: string): number => timeParser(createProtocolParser, reply);

type PeerProtocol = ReturnType<typeof hermesProtocol>;

/** Times the peer, a transform stream, from the first write to its last part, or until it is stopped. */
async function timePeer(protocol: PeerProtocol, reply: string): Promise<{ time: number; isWhole: boolean }> {
  const stream = protocol.createStreamParser({
    tools: [{ type: 'function', name: writeFile.name, inputSchema: writeFile.inputSchema as object }],
    options: {},
  } as Parameters<PeerProtocol['createStreamParser']>[0]);
  const writer = stream.writable.getWriter();
  type Part = Parameters<typeof writer.write>[0];
  const startedAt = performance.now();
  const reading = (async () => {
    for await (const _part of stream.readable);
  })();
  await writer.write({ type: 'text-start', id: '1' } as Part);
  for (const delta of chunks(reply)) {
    await writer.write({ type: 'text-delta', id: '1', delta } as Part);
    const time = performance.now() - startedAt;
    if (time > PATIENCE_MS) return { time, isWhole: false };
  }
  await writer.write({ type: 'text-end', id: '1' } as Part);
  await writer.close();
  await reading;
  return { time: performance.now() - startedAt, isWhole: true };
}

async function compare(name: string, reply: string, protocol: PeerProtocol): Promise<void> {
  const ours = median(Array.from({ length: ROUNDS }, () => timeOurs(reply)));
  const { time: peer, isWhole } = await timePeer(protocol, reply);
  const times = peer / ours;
  const atLeast = isWhole ? '  ' : '> ';
  console.log(
    `${name.padEnd(34)} ours ${ours.toFixed(0).padStart(6)} ms   peer ${atLeast}${peer.toFixed(0).padStart(6)} ms   ${atLeast}${times.toFixed(1).padStart(6)} times faster${verdict(`limit ${LIMIT_AGAINST_PEER}`, times >= LIMIT_AGAINST_PEER)}`,
  );
}

/** Takes the minimum of several rounds, because other load on the machine only ever adds time. */
function scale(name: string, make: (length: number) => string): void {
  const [short, long] = [make(REPLY), make(2 * REPLY)];
  const times = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round++) {
    times.short = Math.min(times.short, timeOurs(short));
    times.long = Math.min(times.long, timeOurs(long));
  }
  const ratio = times.long / times.short;
  console.log(
    `${name.padEnd(34)} ${size(REPLY)} in ${times.short.toFixed(0).padStart(6)} ms   ${size(2 * REPLY)} takes ${ratio.toFixed(2)} times as long${verdict(`limit ${LIMIT_AT_TWICE}`, ratio <= LIMIT_AT_TWICE)}`,
  );
}

for (const make of [prose, ...Object.values(CALLS)]) timeOurs(make(REPLY / 10));
console.log(`In pieces of ${CHUNK} characters, against @ai-sdk-tool/parser`);
await compare(`${size(REPLY)} of prose, Hermes`, prose(REPLY), hermesProtocol());
await compare(`${size(REPLY)} of prose, XML`, prose(REPLY), morphXmlProtocol() as PeerProtocol);
await compare(`a file of ${size(FILE)}, Hermes`, CALLS.Hermes?.(FILE) ?? '', hermesProtocol());
await compare(`a file of ${size(FILE)}, XML`, CALLS['named tags']?.(FILE) ?? '', morphXmlProtocol() as PeerProtocol);
console.log('Twice the length');
for (const [name, make] of Object.entries({ prose, ...CALLS, ...ADVERSARIES })) scale(name, make);

// The parser of prompted tool calls, compared with a peer in the same run, and with itself at twice the length.
// npm run bench -- parser
import { performance } from 'node:perf_hooks';
import { hermesProtocol, morphXmlProtocol } from '@ai-sdk-tool/parser';
import { createProtocolParser } from '#lib/prompts/parser.ts';
import type { ProtocolTool } from '#lib/prompts/tool-names.ts';
import { inFull, verdict } from './lib/options.ts';

const CHUNK = 4;
/** The length of a long reply, and of a file in a call. */
const REPLY = inFull(1_000_000, 10_000);
const FILE = inFull(200_000, 2_000);
const ROUNDS = inFull(5, 1);
/** When the peer is stopped; its time is then a lower bound. */
const PATIENCE_MS = inFull(30_000, 300);
const LIMIT_AGAINST_PEER = 10;
const LIMIT_AT_TWICE = 2.2;

const text = { type: 'string' } as const;
const writeFile: ProtocolTool = {
  name: 'write_file',
  inputSchema: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
};
const editFile: ProtocolTool = {
  name: 'edit_file',
  inputSchema: { type: 'object', properties: { path: text, edits: { type: 'array' } }, required: ['path', 'edits'] },
};

const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const prose = (length: number): string =>
  filled('The quick brown fox jumps over the lazy dog; then it sleeps, for it is tired. ', length);
const code = (length: number): string =>
  filled('const a = { b: \'c\' };\nif (a < 3 && b > 2) { return "x"; }\n', length);
const call = (length: number): string =>
  JSON.stringify({ name: 'write_file', arguments: { path: '/a.ts', content: code(length) } });

/** A file of a given length, written in every format. */
const CALLS: Record<string, (length: number) => string> = {
  canonical: (length) =>
    JSON.stringify({
      tool_calls: [
        { function: { name: 'write_file', arguments: JSON.stringify({ path: '/a.ts', content: code(length) }) } },
      ],
    }),
  'bare JSON': call,
  'fenced JSON': (length) => `\`\`\`json\n${call(length)}\n\`\`\``,
  Hermes: (length) => `<tool_call>${call(length)}</tool_call>`,
  'Qwen3-Coder': (length) =>
    `<tool_call>\n<function=write_file>\n<parameter=path>\n/a.ts\n</parameter>\n<parameter=content>\n${code(length)}\n</parameter>\n</function>\n</tool_call>`,
  'named tags': (length) => `<write_file>\n<path>/a.ts</path>\n<content>\n${code(length)}\n</content>\n</write_file>`,
  GLM: (length) =>
    `<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>/a.ts</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${code(length)}</arg_value>\n</tool_call>`,
  Pythonic: (length) => `[write_file(path="/a.ts", content=${JSON.stringify(code(length))})]`,
  Mistral: (length) => `[TOOL_CALLS]write_file[ARGS]${JSON.stringify({ path: '/a.ts', content: code(length) })}`,
  harmony: (length) =>
    `<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>${JSON.stringify({ path: '/a.ts', content: code(length) })}<|call|>`,
};

/** Inputs designed to be slow to parse. */
const ADVERSARIES: Record<string, (length: number) => string> = {
  'angle brackets': (length) => filled('<', length),
  braces: (length) => filled('{', length),
  'braces and spaces': (length) => filled('{ ', length),
  openers: (length) => filled('<tool_call>', length),
  'almost calls': (length) => filled('<tool_call>{"name', length),
  'almost bare calls': (length) => filled('{"name":"write_file","arg', length),
  'almost lists': (length) => filled('\n[write_file(pa', length),
  'almost fenced calls': (length) => filled('\n```json\n{"name":"write_file","arguments":{"path":"/a"}}x\n```', length),
  'almost headers': (length) => filled('<|channel|>commentary to=functions.x ', length),
  'an opener and spaces': (length) => `<tool_call>${filled(' ', length)}`,
  'deep nesting': (length) => `{"name":"edit_file","arguments":{"path":"/a","edits":${filled('[', length)}`,
  'closers in a value': (length) => `<function=write_file><parameter=content>${filled('</parameter>\n<', length)}`,
  'quotes in a value': (length) => `{"name":"write_file","arguments":{"content":"${filled('", "a', length)}`,
  backticks: (length) => filled('`', length),
  comments: (length) => filled('<!-- ', length),
  'quoted calls': (length) =>
    `<function=write_file>\n<parameter=content>\n${filled('<function=a>\n<parameter=b>\n', length)}`,
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const size = (length: number): string => (length < 1_000_000 ? `${length / 1_000} KB` : `${length / 1_000_000} MB`);

function* chunks(reply: string): Generator<string> {
  for (let at = 0; at < reply.length; at += CHUNK) yield reply.slice(at, at + CHUNK);
}

function timeOurs(reply: string): number {
  let next = 0;
  const parser = createProtocolParser({ tools: [writeFile, editFile], createId: () => `call-${next++}` });
  const startedAt = performance.now();
  for (const chunk of chunks(reply)) parser.push(chunk);
  parser.end();
  return performance.now() - startedAt;
}

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

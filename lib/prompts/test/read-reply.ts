import { createProtocolParser } from '../parser.ts';
import type { ProtocolPart } from '../protocol-part.ts';
import type { ProtocolTool } from '../tool-names.ts';

/** A parsed reply. */
export interface ReadReply {
  text: string;
  reasoning: string;
  /** The tool of a call that could not be read. */
  unreadable?: string;
  calls: { name: string; input: unknown; incomplete?: true; doubtful?: true; deltas: string }[];
}

const text = { type: 'string' } as const;
const tool = (name: string, properties: object, required: string[]): ProtocolTool => ({
  name,
  inputSchema: { type: 'object', properties, required } as ProtocolTool['inputSchema'],
});

/** Fictional tools with arguments of every type. */
export const TOOLS: readonly ProtocolTool[] = [
  tool('read_file', { path: text }, ['path']),
  tool('list_directory', { path: text }, ['path']),
  tool('write_file', { path: text, content: text }, ['path', 'content']),
  tool(
    'search',
    { query: text, limit: { type: 'integer' }, regex: { type: 'boolean' }, paths: { type: 'array', items: text } },
    ['query'],
  ),
  tool(
    'edit_file',
    {
      path: text,
      edits: {
        type: 'array',
        items: { type: 'object', properties: { old: text, new: text, all: { type: 'boolean' } } },
      },
    },
    ['path', 'edits'],
  ),
  tool('get_time', {}, []),
];

/** Parses a reply that arrives in these pieces. */
export function readReply(pieces: Iterable<string>, startsInReasoning = false, tools = TOOLS): ReadReply {
  let next = 0;
  const parser = createProtocolParser({ tools, createId: () => `id${++next}`, startsInReasoning });
  const parts: ProtocolPart[] = [];
  for (const piece of pieces) parts.push(...parser.push(piece));
  parts.push(...parser.end());
  return collect(parts);
}

function collect(parts: readonly ProtocolPart[]): ReadReply {
  const reply: ReadReply = { text: '', reasoning: '', calls: [] };
  const deltas = new Map<string, string>();
  for (const part of parts) {
    if (part.type === 'text-delta') reply.text += part.delta;
    else if (part.type === 'reasoning-delta') reply.reasoning += part.delta;
    else if (part.type === 'tool-input-start') deltas.set(part.toolCallId, '');
    else if (part.type === 'tool-input-delta') deltas.set(part.toolCallId, deltas.get(part.toolCallId) + part.delta);
    else if (part.type === 'unreadable-call') reply.unreadable = part.toolName;
    else if (part.type === 'invented-result') continue;
    else if (part.type === 'doubtful-call') Object.assign(reply.calls[part.index] ?? {}, { doubtful: true });
    else {
      const { toolCallId, toolName: name, input, incomplete } = part;
      reply.calls.push({ name, input, deltas: deltas.get(toolCallId) ?? '', ...(incomplete ? { incomplete } : {}) });
    }
  }
  return reply;
}

/** A pseudorandom generator of numbers from 0 to 1: the same seed gives the same sequence. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Cuts a text into pieces of 1 to `longest` characters. */
export function cut(text: string, random: () => number, longest = 9): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + 1 + Math.floor(random() * longest);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

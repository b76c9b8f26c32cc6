import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { startOf } from '#lib/base/cut-text.ts';
import { keywordsOf } from '#lib/tools/schema/json-schema.ts';
import { MCP_LIMITS } from './limits.ts';

/** Fields that only results of calls have. */
const OF_CALLS = ['content', 'structuredContent', 'isError'] as const;

/** Fields of results of other requests, which are left alone. */
const OF_OTHERS = [
  'contents',
  'messages',
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
  'capabilities',
] as const;

/** The length to which a part that is not understood is shown, in characters. */
const PART_MAX = 1_000;

/**
 * Corrects the result of a call in place, before the client reads it. The client would refuse the whole result for one
 * malformed part, although the call has been run. Each part is kept as far as it can be understood, and otherwise shown as
 * text. Other messages are left as they are. For `onmessage` of a transport.
 */
export function correctResult(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const result = keywordsOf(message.result) as Record<string, unknown> | undefined;
  if (result === undefined || !OF_CALLS.some((name) => name in result) || OF_OTHERS.some((name) => name in result))
    return;
  result.content = listOf(result.content)
    .slice(0, MCP_LIMITS.resultBlocks + 1)
    .flatMap(partOf);
  if ('isError' in result) result.isError = result.isError === true || result.isError === 'true';
  if (result.structuredContent === null) delete result.structuredContent;
  if (keywordsOf(result._meta) === undefined) delete result._meta;
}

function listOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content;
  return content === undefined || content === null ? [] : [content];
}

type Part = Record<string, unknown>;

const textPart = (text: string): Part => ({ type: 'text', text });

/** Returns a part in the protocol's form; an empty list for an empty part. */
function partOf(part: unknown): Part[] {
  if (typeof part === 'string') return [textPart(part)];
  const given = keywordsOf(part);
  if (given === undefined) return part === null || part === undefined ? [] : [textPart(shown(part))];
  const { type, text, data, mimeType, uri, name, resource } = given;
  switch (type) {
    case 'text':
      return [textPart(typeof text === 'string' ? text : shown(text))];
    case 'image':
    case 'audio':
      if (typeof data === 'string' && typeof mimeType === 'string') return [{ type, data, mimeType }];
      break;
    case 'resource_link':
      if (typeof uri === 'string')
        return [
          {
            type,
            uri,
            name: typeof name === 'string' ? name : uri,
            ...(typeof mimeType === 'string' && { mimeType }),
            ...(typeof given.description === 'string' && { description: given.description }),
          },
        ];
      break;
    case 'resource': {
      const inner = keywordsOf(resource) ?? {};
      const kind = typeof inner.mimeType === 'string' ? { mimeType: inner.mimeType } : {};
      const content = ['text', 'blob'].find((field) => typeof inner[field] === 'string');
      if (typeof inner.uri === 'string' && content !== undefined)
        return [{ type, resource: { uri: inner.uri, ...kind, [content]: inner[content] } }];
      if (typeof inner.text === 'string') return [textPart(inner.text)];
      break;
    }
    default:
  }
  if (typeof text === 'string') return [textPart(text)];
  return [textPart(`[A part of the result that the studio does not understand: ${shown(part)}]`)];
}

/** Writes a value as JSON, cut at `PART_MAX`. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length <= PART_MAX ? text : `${startOf(text, PART_MAX)}…`;
}

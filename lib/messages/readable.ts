import { clampTime } from '#lib/base/clamp-time.ts';
import type { AssistantMessage, Message } from './message.ts';

const damages = new WeakMap<Message, string>();

/**
 * Returns the stored data of a message that `readable` has replaced because it was damaged, as JSON; an empty text for a
 * message from `missing`; undefined for any other message.
 */
export const damageOf = (message: Message): string | undefined => damages.get(message);

/**
 * Returns a stored message if it has the form of a message, and otherwise an empty message with the same id in its place,
 * for which `damageOf` returns the stored data. A time of creation that is not valid is corrected as by `clampTime`.
 */
export function readable(id: string, stored: unknown): Message {
  const createdAt = clampTime(valueIn(stored, 'createdAt'));
  if (isMessage(id, stored)) return stored.createdAt === createdAt ? stored : { ...stored, createdAt };
  const base = { id, createdAt };
  const message: Message =
    valueIn(stored, 'role') === 'user'
      ? { ...base, role: 'user', parts: [] }
      : { ...base, role: 'assistant', parts: [], status: { type: 'done' } };
  damages.set(message, describe(stored));
  return message;
}

/**
 * Creates an empty message in place of one that is not stored although others follow it. `damageOf` returns an empty text for
 * it.
 */
export function missing(id: string, role: Message['role'], createdAt: number): Message {
  const message: Message =
    role === 'user' ? { id, createdAt, role, parts: [] } : { id, createdAt, role, parts: [], status: { type: 'done' } };
  damages.set(message, '');
  return message;
}

/**
 * Returns a message as exports contain it: in place of one that `readable` has put there for a damaged one, a message with the
 * stored data as text; any other message as it is.
 */
export function withDamage(message: Message): Message {
  const damage = damageOf(message);
  return !damage ? message : { ...message, parts: [{ type: 'text', text: damage }] };
}

/**
 * Checks whether a stored value has everything that views and steps of a turn rely on. Far cheaper than the schema, and
 * true for messages of every earlier version.
 */
function isMessage(id: string, stored: unknown): stored is Message {
  const { role, parts, status, ...base } = (stored ?? {}) as Partial<AssistantMessage>;
  if (base.id !== id || !Array.isArray(parts) || !parts.every(isPart)) return false;
  if ((role as string) === 'user') return parts.every(({ type }) => type === 'text' || (type as string) === 'file');
  return (
    role === 'assistant' && STATUSES.has(status?.type ?? '') && parts.every(({ type }) => (type as string) !== 'file')
  );
}

const STATUSES = new Set<string>(['running', 'waiting', 'done', 'stopped', 'failed']);

function isPart(part: unknown): boolean {
  const has = (name: string) => typeof valueIn(part, name) === 'string';
  switch (valueIn(part, 'type')) {
    case 'text':
    case 'reasoning':
      return has('text');
    case 'file':
      return has('url') && has('mediaType');
    case 'tool-call':
      return has('toolCallId') && has('toolName') && isResult(valueIn(part, 'result'));
    case 'step':
      return has('model') && Array.isArray(valueIn(part, 'notices'));
    case 'compaction':
      return (
        has('id') && Array.isArray(valueIn(part, 'stubs')) && isSummary(valueIn(part, 'summary')) && hasSizes(part)
      );
    default:
      return false;
  }
}

const isSummary = (summary: unknown): boolean =>
  summary === undefined ||
  (typeof valueIn(summary, 'text') === 'string' && typeof valueIn(valueIn(summary, 'from'), 'messageId') === 'string');

const hasSizes = (part: unknown): boolean =>
  ['before', 'after'].every((name) => typeof valueIn(valueIn(part, name), 'history') === 'number');

function isResult(result: unknown): boolean {
  if (result === undefined) return true;
  if (valueIn(result, 'type') === 'tool-error') return typeof valueIn(result, 'message') === 'string';
  const content = valueIn(valueIn(result, 'output'), 'content');
  return (
    typeof content === 'string' ||
    (Array.isArray(content) && content.every((block) => typeof valueIn(block, 'type') === 'string'))
  );
}

const valueIn = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

function describe(stored: unknown): string {
  try {
    return JSON.stringify(stored) ?? String(stored);
  } catch {
    // Circular values and bigints have no JSON.
    return String(stored);
  }
}

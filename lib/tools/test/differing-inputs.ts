import { isDeepStrictEqual } from 'node:util';
import type { Tool } from '../core/tool.ts';

const TEXTS = [
  'x',
  '',
  ' ',
  '\n',
  '\r\n',
  'a\nb',
  '→',
  '\u202e',
  '\u0000',
  'true',
  '/a',
  '{"a":1}',
  '@@ 1 of 2 @@',
  '-',
  '+',
];

/** Makes two random inputs that a tool accepts and that differ once parsed; undefined if this attempt gave no such pair. */
export function differingInputs(tool: Tool, random: () => number): { one: object; other: object } | undefined {
  const examples = (tool.examples ?? []).map(({ input }) => input as object);
  const base = pick(examples, random);
  if (base === undefined) return undefined;
  const schema = tool.inputSchema as { properties?: Record<string, { type?: string }> };
  const names = Object.keys(schema.properties ?? {});
  const change = (input: object): object => {
    const name = pick(names, random) ?? '';
    const known: unknown = (input as Record<string, unknown>)[name];
    return { ...input, [name]: changed(known, schema.properties?.[name]?.type, random) };
  };
  const [one, other] = [random() < 0.5 ? base : change(base), change(base)];
  const [first, second] = [tool.parse(one), tool.parse(other)];
  if (!first.success || !second.success || isDeepStrictEqual(first.data, second.data)) return undefined;
  return { one: first.data as object, other: second.data as object };
}

const below = (end: number, random: () => number): number => Math.floor(random() * end);

const pick = <T>(from: readonly T[], random: () => number): T | undefined => from[below(from.length, random)];

/** A random value of the same kind as `value`, or of the JSON Schema type `type`. */
function changed(value: unknown, type: string | undefined, random: () => number): unknown {
  if (typeof value === 'string' || (value === undefined && type === 'string')) {
    const text = value ?? '';
    const at = below(text.length + 1, random);
    return `${text.slice(0, at)}${pick(TEXTS, random)}${text.slice(at)}`;
  }
  if (typeof value === 'boolean' || type === 'boolean') return value !== true;
  if (typeof value === 'number' || type === 'number' || type === 'integer') return 1 + below(50, random);
  if (Array.isArray(value)) {
    const at = below(value.length + 1, random);
    if (at === value.length) return [...value, value[0]];
    return value.with(at, changed(value[at], undefined, random));
  }
  if (typeof value === 'object' && value !== null) {
    const known = [...Object.keys(value), 'replaceAll'];
    const name = pick(known, random) ?? '';
    const inner: unknown = (value as Record<string, unknown>)[name];
    return { ...value, [name]: changed(inner, name === 'replaceAll' ? 'boolean' : undefined, random) };
  }
  return pick(TEXTS, random);
}

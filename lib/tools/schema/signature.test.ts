import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineTool } from '../core/tool.ts';
import { inputSignature } from './signature.ts';

const signatureFor = (inputSchema: z.ZodObject): string =>
  inputSignature(
    defineTool({
      name: 'tool',
      description: 'A tool.',
      toolset: 'test',
      effect: 'read',
      inputSchema,
      execute: async () => ({ content: '' }),
    }),
  );

test.each<[string, z.ZodObject]>([
  ['{}', z.object({})],
  ['{ path: string, limit?: integer }', z.object({ path: z.string(), limit: z.int().optional() })],
  ['{ paths: string[] }', z.object({ paths: z.array(z.string()) })],
  [
    '{ edits: ({ old: string, all?: boolean })[] }',
    z.object({ edits: z.array(z.object({ old: z.string(), all: z.boolean().optional() })) }),
  ],
  ['{ mode: "a" | "b", always: 1 }', z.object({ mode: z.enum(['a', 'b']), always: z.literal(1) })],
  [
    '{ either: string | number, list: (string | null)[] }',
    z.object({ either: z.union([z.string(), z.number()]), list: z.array(z.string().nullable()) }),
  ],
  ['{ env: { [name]: string } }', z.object({ env: z.record(z.string(), z.string()) })],
  ['{ anything: any }', z.object({ anything: z.unknown() })],
])('%s', (signature, schema) => {
  expect(signatureFor(schema)).toBe(signature);
});

const REFERENCES = 40;
const referringTo = ($ref: string) =>
  Object.fromEntries(Array.from({ length: REFERENCES }, (_, n) => [`p${n}`, { $ref }]));

test('a schema within itself is not written out again', () => {
  const signature = inputSignature({ inputSchema: { type: 'object', properties: referringTo('#') } });
  expect(signature).toMatch(/^\{ p0\?: any, .*, p39\?: any \}$/);
});

test('of schemas that refer to others many times, the beginning is written out', () => {
  const level = (n: number) => ({ type: 'object' as const, properties: referringTo(`#/$defs/d${n}`) });
  const $defs = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`d${n}`, level(n + 1)]));
  const signature = inputSignature({ inputSchema: { ...level(0), $defs: { ...$defs, d8: true } } });
  expect(signature).toContain('…');
  expect(signature.length).toBeLessThan(20_000);
});

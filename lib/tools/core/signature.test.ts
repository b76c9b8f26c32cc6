import { expect, test } from 'vitest';
import * as z from 'zod';
import { inputSignature } from './signature.ts';
import { defineTool } from './tool.ts';

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

import { expect, test } from 'vitest';
import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import { toolRegistry } from '../toolsets.ts';
import { briefSpec, essentialSpec } from './brief-spec.ts';
import { externalTool } from './external-tool.ts';

const schemaOf = (inputSchema: Parameters<typeof externalTool>[0]['inputSchema']) =>
  briefSpec(
    externalTool({ name: 'x', toolset: 't', effect: 'read', inputSchema, execute: async () => ({ content: '' }) }),
  ).inputSchema;

test('keeps what arguments must be like, and drops what explains it', () => {
  expect(
    schemaOf({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      description: 'All of it.',
      properties: {
        kind: { type: 'string', enum: ['title', 'description'], description: 'Which.', default: 'title' },
        list: { type: 'array', minItems: 1, items: { type: 'object', properties: { to: { $ref: '#/$defs/place' } } } },
        either: { anyOf: [{ type: 'integer', minimum: 1 }, { const: { default: 1 } }] },
      },
      required: ['kind'],
      additionalProperties: false,
      $defs: { place: { type: 'string', maxLength: 9 } },
    }),
  ).toEqual({
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['title', 'description'] },
      list: { type: 'array', items: { type: 'object', properties: { to: { $ref: '#/$defs/place' } } } },
      either: { anyOf: [{ type: 'integer' }, { const: { default: 1 } }] },
    },
    required: ['kind'],
    additionalProperties: false,
    $defs: { place: { type: 'string' } },
  });
});

test('a property may have the name of an annotation', () => {
  expect(schemaOf({ type: 'object', properties: { title: { type: 'string', title: 'Title' } } })).toEqual({
    type: 'object',
    properties: { title: { type: 'string' } },
  });
});

test('all tools take at most 1,800 tokens', () => {
  const sent = toolRegistry
    .list()
    .map(briefSpec)
    .map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
  expect(estimateTokens(JSON.stringify(sent))).toBeLessThanOrEqual(1_800);
});

test('the essential arguments are those that are required and the one that says what a call is about', () => {
  const argumentsOf = (name: string) => {
    const tool = toolRegistry.get(name);
    if (tool === undefined) throw new Error(`There is no ${name}.`);
    return Object.keys(essentialSpec(tool).inputSchema.properties ?? {});
  };
  expect(argumentsOf('list_directory')).toEqual(['path']);
  expect(argumentsOf('search_text')).toEqual(['pattern']);
  expect(argumentsOf('edit_file')).toEqual(['path', 'find', 'replace']);
});

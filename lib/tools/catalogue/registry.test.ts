/// <reference types="vite/client" />
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { ToolPresentation } from '../core/presentation.ts';
import { defineTool, type Tool, type ToolDefinition, ToolDefinitionError } from '../core/tool.ts';
import { TOOLSETS } from '../toolset-names.ts';
import { toolRegistry } from '../toolsets.ts';
import { ToolRegistry } from './registry.ts';

const path = z.string().describe('A path.');

type Definition = ToolDefinition<z.ZodType, never>;

function definition(change: Partial<Definition> = {}): Definition {
  return {
    name: 'read_it',
    description: 'Reads it.',
    toolset: 'files',
    effect: 'read',
    inputSchema: z.object({ path }),
    execute: async () => ({ content: '' }),
    ...change,
  };
}

const tool = (change: Partial<Definition> = {}): Tool => defineTool(definition(change));

const withInput = (inputSchema: z.ZodType): Definition => definition({ inputSchema });

const isTool = (value: unknown): value is Tool =>
  typeof value === 'object' && value !== null && 'inputSchema' in value && 'effect' in value;

/** The one tool that is offered only where a project has something for it. */
const OFFERED_WITH_SKILLS = 'read_skill';

function expectRefused(definitions: Definition[], reason: string): void {
  const register = () => new ToolRegistry(definitions.map((one) => defineTool(one)));
  expect(register).toThrow(ToolDefinitionError);
  expect(register).toThrow(reason);
}

describe('what can be registered', () => {
  test.each(['', 'Read', 'readFile', '1read', '_read', 'read-file', 'read file', 'lesen_ä', 'read\n', 'a'.repeat(65)])(
    'a tool named %j is refused: providers do not accept the name',
    (name) => expectRefused([definition({ name })], 'snake case'),
  );

  test.each(['a', 'read_file_2', 'a'.repeat(64)])('a tool named %j is accepted', (name) => {
    expect(new ToolRegistry([tool({ name })]).get(name)?.name).toBe(name);
  });

  test.each(['', '  \n'])('a tool described as %j is refused: a model could not choose it', (description) => {
    expectRefused([definition({ description })], 'description is empty');
  });

  test('a tool without a toolset is refused: the user could not turn it off', () => {
    expectRefused([definition({ toolset: ' ' })], 'toolset is empty');
  });

  test.each<[string, Partial<Definition>, Partial<Definition>]>([
    ['two names', { name: 'one' }, { name: 'one' }],
    ['a name and an earlier alias', { name: 'one', aliases: ['two'] }, { name: 'two' }],
    ['an alias and an earlier name', { name: 'one' }, { name: 'two', aliases: ['one'] }],
    ['two aliases', { name: 'one', aliases: ['x'] }, { name: 'two', aliases: ['x'] }],
  ])('%s that are the same are refused: a call would be ambiguous', (_, first, second) => {
    expectRefused([definition(first), definition(second)], 'already registered');
  });
});

describe('input schemas', () => {
  test.each<[string, z.ZodType]>([
    ['a string', z.string()],
    ['an array', z.array(z.string())],
    ['a union', z.union([z.object({ a: path }), z.object({ b: path })])],
    ['anything', z.unknown()],
  ])('%s as input is refused: providers take objects only', (_, schema) => {
    expectRefused([withInput(schema)], 'must be an object');
  });

  test.each<[string, z.ZodType]>([
    ['a date', z.object({ at: z.date().describe('When.') })],
    ['a bigint', z.object({ n: z.bigint().describe('How many.') })],
    ['a map', z.object({ m: z.map(z.string(), z.string()).describe('A map.') })],
  ])('%s is refused: JSON cannot carry it', (_, schema) => {
    expectRefused([withInput(schema)], 'not JSON Schema');
  });

  test.each<[string, z.ZodType, string]>([
    ['at the top', z.object({ it: z.unknown().describe('It.') }), '"it" has no type'],
    ['in an object', z.object({ o: z.object({ it: z.any().describe('It.') }).describe('O.') }), '"o.it" has no type'],
    [
      'in the items of an array',
      z.object({ list: z.array(z.object({ it: z.any().describe('It.') })).describe('L.') }),
      '"list[].it" has no type',
    ],
    [
      'in one branch of a union',
      z.object({ u: z.union([z.string(), z.object({ it: z.any().describe('It.') })]).describe('U.') }),
      '"u.it" has no type',
    ],
    [
      'in the values of a record',
      z.object({ r: z.record(z.string(), z.object({ it: z.any().describe('It.') })).describe('R.') }),
      '"r.*.it" has no type',
    ],
    [
      'in lists of lists',
      z.object({ l: z.array(z.array(z.object({ it: z.any().describe('It.') }))).describe('L.') }),
      '"l[][].it" has no type',
    ],
  ])('a property without a type %s is refused', (_, schema, reason) => {
    expectRefused([withInput(schema)], reason);
  });

  test.each<[string, z.ZodType, string]>([
    ['at the top', z.object({ it: z.string() }), '"it" has no description'],
    ['that is blank', z.object({ it: z.string().describe(' ') }), '"it" has no description'],
    ['in an object', z.object({ o: z.object({ it: z.string() }).describe('O.') }), '"o.it" has no description'],
    [
      'in the items of an array',
      z.object({ list: z.array(z.object({ it: z.string() })).describe('L.') }),
      '"list[].it" has no description',
    ],
    [
      'in one branch of a union',
      z.object({ u: z.union([z.string(), z.object({ it: z.string() })]).describe('U.') }),
      '"u.it" has no description',
    ],
  ])('a property without a description %s is refused: a model would have to guess', (_, schema, reason) => {
    expectRefused([withInput(schema)], reason);
  });

  test.each<[string, z.ZodType, string]>([
    ['an array', z.array(z.any()).describe('L.'), '"it" have no type'],
    ['an array in an array', z.array(z.array(z.unknown())).describe('L.'), '"it[]" have no type'],
    ['a tuple', z.tuple([z.string(), z.number()]).describe('T.'), '"it" have no type'],
  ])('%s whose items have no one type is refused', (_, schema, reason) => {
    expectRefused([withInput(z.object({ it: schema }))], reason);
  });

  test('a union with a branch of any type is refused: it would have no type at all', () => {
    const it = z.union([z.string(), z.unknown()]).describe('It.');
    expectRefused([withInput(z.object({ it }))], 'a branch of "it" has no type');
  });

  test('a required property that is not defined anywhere is refused', () => {
    expectRefused([withInput(z.record(z.enum(['a', 'b']), z.string()))], 'required property "a"');
  });

  test('enums, literals, unions, nullable, optional and default properties are accepted', () => {
    const schema = z.object({
      choice: z.enum(['a', 'b']).describe('One of them.'),
      one: z.literal(1).describe('One.'),
      either: z.union([z.string(), z.number()]).describe('Either.'),
      nothing: z.string().nullable().describe('Or nothing.'),
      maybe: z.boolean().optional().describe('Or not.'),
      usual: z.string().default('x').describe('As usual.'),
      list: z.array(z.object({ name: z.string().describe('Its name.') })).describe('Some.'),
    });
    expect(() => new ToolRegistry([defineTool(withInput(schema))])).not.toThrow();
    expect(defineTool(withInput(schema)).inputSchema.required).not.toContain('usual');
  });

  test('an example that does not fit the schema is refused, with its number and the field', () => {
    const examples = [
      { description: 'Good', input: { path: '/a' }, result: '' },
      { description: 'Bad', input: { path: 7 }, result: '' },
    ];
    expectRefused([definition({ examples })], 'example 2 does not fit the schema');
    expectRefused([definition({ examples })], 'path');
  });

  test.each<[string, ToolPresentation]>([
    ['target', { verb: 'read', target: 'file' }],
    ['a name in the question', { verb: 'read', names: ['path', 'file'] }],
    ['the argument with the path', { verb: 'read', files: { argument: 'file', as: 'path' } }],
    ['the argument that is shown', { verb: 'read', input: { as: 'code', argument: 'file', language: 'js' } }],
    ['the path of a shown file', { verb: 'write', input: { as: 'file', argument: 'path', path: 'file' } }],
    ['the text to find', { verb: 'edit', input: { as: 'diff', of: 'edit', argument: 'path', find: 'file' } }],
  ])('a presentation in which %s is not a property is refused', (_, presentation) => {
    expectRefused([definition({ presentation })], 'the presentation names "file"');
  });

  test('a presentation is checked by the schema’s own properties', () => {
    expectRefused([definition({ presentation: { verb: 'read', target: 'constructor' } })], '"constructor"');
    expect(() => new ToolRegistry([tool({ presentation: { verb: 'read', target: 'path' } })])).not.toThrow();
  });
});

describe('looking up', () => {
  const [one, two] = [tool({ name: 'one', aliases: ['uno', 'eins'] }), tool({ name: 'two', toolset: 'browser' })];
  const registry = new ToolRegistry([one, two]);

  test('a tool is found by its name and by its aliases', () => {
    expect(registry.get('one')).toBe(one);
    expect(registry.get('uno')).toBe(one);
    expect(registry.get('eins')).toBe(one);
    expect(registry.get('two')).toBe(two);
  });

  test.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'ONE', 'one ', ''])(
    'the name %j, as a model may write it, finds nothing',
    (name) => expect(registry.get(name)).toBeUndefined(),
  );

  test('lists all tools in order, without aliases, or those of some toolsets', () => {
    expect(registry.list().map(({ name }) => name)).toEqual(['one', 'two']);
    expect(registry.list(['browser'])).toEqual([two]);
    expect(registry.list([])).toEqual([]);
    expect(registry.list(['constructor'])).toEqual([]);
  });
});

describe('the studio’s tools', () => {
  test('each belongs to a toolset that the user can turn on and off', () => {
    expect(new Set(toolRegistry.list().map(({ toolset }) => toolset))).toEqual(new Set(TOOLSETS));
  });

  test('each shows an argument on its card and has an example for prompted models', () => {
    for (const { name, presentation, examples } of toolRegistry.list()) {
      expect(presentation.target, `${name} needs a presentation.target`).toBeDefined();
      expect(examples ?? [], `${name} needs an example`).not.toEqual([]);
    }
  });

  test('each that is defined is listed', () => {
    const modules = import.meta.glob<Record<string, unknown>>(['../{browser,files,web}/*.ts', '!**/*.test.ts'], {
      eager: true,
    });
    const defined = Object.values(modules).flatMap((exported) => Object.values(exported).filter(isTool));
    expect(defined.length).toBeGreaterThan(10);
    const listed = new Set(toolRegistry.list().map(({ name }) => name));
    const unlisted = defined
      .map(({ name }) => name)
      .filter((name) => !listed.has(name) && name !== OFFERED_WITH_SKILLS);
    expect(unlisted, 'add them to toolRegistry in lib/tools/toolsets.ts').toEqual([]);
  });

  test('providers get draft-7 JSON Schema, in which arguments with defaults are not required', () => {
    const search = toolRegistry.get('search_files');
    expect(search?.inputSchema).toEqual({
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1, description: expect.any(String) },
        path: { type: 'string', default: '/', description: expect.any(String) },
      },
      required: ['pattern'],
    });
  });
});

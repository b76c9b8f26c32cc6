import { describe, expect, test } from 'vitest';
import { CATALOGUE_LIMITS } from '../core/limits.ts';
import { specOf, type ToolSpec } from '../core/spec.ts';
import { fragments, toolRegistry } from '../toolsets.ts';
import { CatalogueError, catalogueText, readCatalogue } from './catalogue.ts';

const tools = toolRegistry.list();

const spec = (change: Partial<ToolSpec> = {}): ToolSpec => ({
  name: 'a',
  description: 'A tool.',
  inputSchema: { type: 'object' },
  toolset: 'set',
  effect: 'read',
  needs: [],
  presentation: { verb: 'call' },
  ...change,
});

describe('the studio’s own tools', () => {
  test('survive as data, with everything but what runs them', () => {
    const read = readCatalogue(catalogueText(tools, fragments));
    expect(read.tools.list()).toEqual(tools.map(specOf));
    expect(read.fragments).toEqual(fragments);
    expect(read.tools.get('grep')?.name).toBe('search_text');
    for (const tool of read.tools.list()) expect(Object.keys(tool)).not.toContain('execute');
  });

  test('give the same text each time, so that the server needs it once', () => {
    expect(catalogueText(tools, fragments)).toBe(catalogueText([...tools], [...fragments]));
    expect(catalogueText(tools.slice(1), fragments)).not.toBe(catalogueText(tools, fragments));
  });
});

test('own fields of the metadata and of schemas are kept', () => {
  const own = spec({
    metadata: { tags: ['x'], version: '1.0', documentationUrl: 'https://example.com', owner: { team: 'core' } },
    inputSchema: { type: 'object', 'x-order': ['a'] },
  });
  expect(readCatalogue(catalogueText([own], [])).tools.list()).toEqual([own]);
});

describe('a catalogue from elsewhere is refused with the reason', () => {
  const nested = (levels: number): unknown => {
    let schema: unknown = { type: 'string' };
    for (let level = 0; level < levels; level++) schema = { type: 'array', items: schema };
    return schema;
  };
  const withSchema = (items: unknown) =>
    catalogueText([spec({ inputSchema: { type: 'object', properties: { items } as never } })], []);

  test.each<[string, string, string]>([
    ['text that is no JSON', '{', 'not valid JSON'],
    ['another value', '[]', 'invalid'],
    ['a tool without a name', JSON.stringify({ tools: [{ ...spec(), name: '' }], fragments: [] }), 'name'],
    ['an unknown effect', JSON.stringify({ tools: [{ ...spec(), effect: 'maybe' }], fragments: [] }), 'effect'],
    ['an unknown verb', JSON.stringify({ tools: [{ ...spec(), presentation: { verb: 'x' } }], fragments: [] }), 'verb'],
    [
      'a schema of no object',
      JSON.stringify({ tools: [{ ...spec(), inputSchema: [] }], fragments: [] }),
      'JSON Schema',
    ],
    ['a name that is there twice', catalogueText([spec(), spec()], []), 'already registered'],
    ['an alias that is a name', catalogueText([spec(), spec({ name: 'b', aliases: ['a'] })], []), 'already registered'],
    [
      'too many tools',
      catalogueText(
        Array.from({ length: CATALOGUE_LIMITS.tools + 1 }, (_, n) => spec({ name: `t${n}` })),
        [],
      ),
      '256',
    ],
    ['too long a text', catalogueText([spec({ description: 'x'.repeat(CATALOGUE_LIMITS.length) })], []), '2000000'],
    [
      'too long a description',
      catalogueText([spec({ description: 'x'.repeat(CATALOGUE_LIMITS.description + 1) })], []),
      '20000',
    ],
    ['too deep a schema', withSchema(nested(CATALOGUE_LIMITS.depth)), '40 levels'],
    ['too many values', `{"tools":[${'0,'.repeat(CATALOGUE_LIMITS.values)}0],"fragments":[]}`, '200000 values'],
  ])('%s', (_, text, reason) => {
    expect(() => readCatalogue(text)).toThrow(CatalogueError);
    expect(() => readCatalogue(text)).toThrow(reason);
  });

  test('depth is no way to crash', () => {
    const text = `{"tools":${'['.repeat(100_000)}${']'.repeat(100_000)},"fragments":[]}`;
    expect(() => readCatalogue(text)).toThrow(CatalogueError);
  });

  test('what is just within the limits is accepted', () => {
    const many = Array.from({ length: CATALOGUE_LIMITS.tools }, (_, n) =>
      spec({ name: `t${n}`, description: 'x'.repeat(1_000) }),
    );
    expect(readCatalogue(catalogueText(many, [])).tools.list()).toHaveLength(CATALOGUE_LIMITS.tools);
    expect(readCatalogue(withSchema(nested(15))).tools.list()).toHaveLength(1);
  });
});

import { beforeEach, expect, test } from 'vitest';
import { type ExternalDefinition, withHash } from '#lib/tools/catalogue/external-definition.ts';
import { externalTool } from '#lib/tools/catalogue/external-tool.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import { ToolOffer } from './tool-offer.ts';

let registry: ToolRegistry;
let offer: ToolOffer;

beforeEach(() => {
  registry = new ToolRegistry([]);
  offer = new ToolOffer(registry);
});

const toolOf = (name: string, toolset = 'a') =>
  externalTool({
    name,
    toolset,
    effect: 'read',
    inputSchema: { type: 'object' },
    execute: async () => ({ content: '' }),
  });

const definition = (name: string, description = name): Promise<ExternalDefinition> =>
  withHash({ name, description, inputSchema: { type: 'object' }, isDestructive: false });

const maker = {
  nameOf: ({ name }: ExternalDefinition) => `a_${name}`,
  make({ name }: ExternalDefinition) {
    if (name === 'bad') throw new Error('Its schema is wrong.');
    return toolOf(`a_${name}`);
  },
};

const names = () => registry.list().map(({ name }) => name);

test('tools of unchanged definitions stay the same, and nothing is offered before it is put in place', async () => {
  const first = await offer.prepare([await definition('x'), await definition('y')], maker);
  expect(names()).toEqual([]);
  expect(offer.replace(first.tools)).toBeUndefined();
  const kept = registry.get('a_x');
  const second = await offer.prepare([await definition('x'), await definition('y', 'changed')], maker);
  offer.replace(second.tools);
  expect(registry.get('a_x')).toBe(kept);
  expect(second.tools.get('y')).not.toBe(first.tools.get('y'));
  expect(offer.definitionOf('a_y')?.description).toBe('changed');
  expect(offer.definitionOf('y')).toBeUndefined();
  expect(offer.tokens).toBeGreaterThan(0);
  offer.withdraw();
  expect(names()).toEqual([]);
  expect(offer.tools.size).toBe(0);
});

test('one that cannot be made, or whose name is taken, keeps no other out', async () => {
  registry.add([toolOf('a_taken', 'b')]);
  const { tools, refused } = await offer.prepare(
    [await definition('bad'), await definition('taken'), await definition('x')],
    maker,
  );
  expect([...tools.keys()]).toEqual(['x']);
  expect(refused).toEqual([
    { name: 'bad', reason: 'Its schema is wrong.' },
    { name: 'taken', reason: 'Another tool has this name.' },
  ]);
});

test('tools that the registry refuses are not offered, with the reason, and neither are those before', async () => {
  offer.replace((await offer.prepare([await definition('x')], maker)).tools);
  const { tools } = await offer.prepare([await definition('y')], maker);
  registry.add([toolOf('a_y', 'b')]);
  expect(offer.replace(tools)).toContain('a_y');
  expect(names()).toEqual(['a_y']);
  expect(offer.tools.size).toBe(0);
});

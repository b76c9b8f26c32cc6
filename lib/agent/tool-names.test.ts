import { expect, test } from 'vitest';
import { CODEC_IDS, codecOf } from '#lib/prompts/codecs/codecs.ts';
import { createProtocolParser } from '#lib/prompts/parser.ts';
import { ToolIndex } from '#lib/tools/catalogue/tool-index.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { PROMPTED_NAME, ToolNaming } from './tool-names.ts';

const PROVIDER = /^[A-Za-z_][\w-]{0,63}$/;

const specs = (...names: string[]): ToolSpec[] =>
  names.map((name) => ({
    name,
    description: '',
    inputSchema: { type: 'object' },
    toolset: 'set',
    effect: 'read',
    needs: [],
    presentation: { verb: 'call' },
  }));

test('the studio’s own tools keep their names with every provider', () => {
  const naming = new ToolNaming(toolRegistry.index, PROVIDER);
  expect(naming.tools).toEqual(toolRegistry.list());
  for (const { name } of toolRegistry.list()) expect([naming.shown(name), naming.real(name)]).toEqual([name, name]);
});

test('names that a provider does not accept are replaced, and calls come back under the real ones', () => {
  const names = [
    'tracker/find',
    'tracker.find',
    'tracker_find',
    '查找',
    '9lives',
    'x'.repeat(70),
    `${'x'.repeat(69)}y`,
  ];
  const naming = new ToolNaming(new ToolIndex(specs(...names)), PROVIDER);
  const shown = naming.tools.map(({ name }) => name);
  for (const name of shown) expect(name).toMatch(PROVIDER);
  expect(new Set(shown).size).toBe(names.length);
  expect(shown.map((name) => naming.real(name))).toEqual(names);
  expect(names.map((name) => naming.shown(name))).toEqual(shown);
  // A tool whose name is fine keeps it, whatever the others become.
  expect(naming.shown('tracker_find')).toBe('tracker_find');
});

test('a new name is never an alias of another tool', () => {
  const [first, second] = specs('a/b', 'other');
  if (first === undefined || second === undefined) throw new Error('no specs');
  const tools = [first, { ...second, aliases: ['a_b'] }];
  const naming = new ToolNaming(new ToolIndex(tools), PROVIDER);
  expect(naming.shown('a/b')).toBe('a_b_2');
  const known = naming.known();
  expect(known.get('a_b')?.name).toBe('other');
  expect(known.get('a_b_2')?.name).toBe('a/b');
});

test('names in the history that belong to no tool are made acceptable, since a provider would refuse all of it', () => {
  const naming = new ToolNaming(new ToolIndex(specs('read_file')), PROVIDER);
  expect(naming.shown('delete everything!')).toBe('delete_everything_');
  expect(naming.shown('')).toBe('_');
  expect(naming.real('delete_everything_')).toBe('delete_everything_');
  expect(naming.shown('__proto__')).toBe('__proto__');
});

test('a new name is never that of a tool that is not on offer', () => {
  const [shown, hidden] = specs('tracker.find', 'tracker_find');
  if (shown === undefined || hidden === undefined) throw new Error('no specs');
  const all = new ToolIndex([shown, { ...hidden, toolset: 'off' }]);
  const naming = new ToolNaming(all, PROVIDER, all.list(['set']));
  expect(naming.tools.map(({ name }) => name)).toEqual(['tracker_find_2']);
  expect(naming.known().get('tracker_find')?.toolset).toBe('off');
  expect(naming.known().get('tracker_find_2')?.name).toBe('tracker.find');
});

test('names that the parser would take apart are replaced where the tools are prompted', () => {
  const names = ['tools.find', 'functions.find', '9lives', 'Find', 'find'];
  const naming = new ToolNaming(new ToolIndex(specs(...names)), PROMPTED_NAME);
  expect(naming.tools.map(({ name }) => name)).toEqual(['tools_find', 'functions_find', '_9lives', 'Find', 'find']);
  for (const codec of CODEC_IDS)
    for (const { name } of naming.tools) {
      const parser = createProtocolParser({ tools: naming.tools, createId: () => 'c', startsInReasoning: false });
      const reply = codecOf(codec).formatToolCalls([{ toolCallId: 'c', toolName: name, inputText: '{}' }]);
      expect([...parser.push(reply), ...parser.end()]).toContainEqual(
        expect.objectContaining({ type: 'tool-call', toolName: name }),
      );
    }
});

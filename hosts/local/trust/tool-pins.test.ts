import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { McpDefinition } from '#lib/sources/mcp/definition.ts';
import { ToolPins } from './tool-pins.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tool-pins-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const definition = (hash: string): McpDefinition => ({
  name: 'act',
  description: 'Acts.',
  inputSchema: { type: 'object' },
  isDestructive: false,
  hash,
});
const file = () => join(folder, 'deep/pins.json');
const wanted = { tool: 'far_act', server: 's', folder: '/work' };

test('what was allowed is there for its tool, server and folder, in any process, and only for this account', () => {
  new ToolPins(file()).put({ ...wanted, definition: definition('one') });
  const pins = new ToolPins(file());
  expect(pins.find(wanted)?.definition).toEqual(definition('one'));
  for (const other of [{ tool: 'far_other' }, { server: 't' }, { folder: '/elsewhere' }])
    expect(pins.find({ ...wanted, ...other })).toBeUndefined();
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('the latest counts, whether it was allowed for a folder or for all', () => {
  const pins = new ToolPins(file());
  pins.put({ ...wanted, definition: definition('one') });
  pins.put({ ...wanted, folder: null, definition: definition('two') });
  expect(pins.find(wanted)?.definition.hash).toBe('two');
  expect(pins.find({ ...wanted, folder: '/elsewhere' })?.definition.hash).toBe('two');
  pins.put({ ...wanted, definition: definition('three') });
  expect(pins.find(wanted)?.definition.hash).toBe('three');
  expect(JSON.parse(readFileSync(file(), 'utf8')).tools).toHaveLength(2);
});

test.each([
  '',
  '{',
  '[]',
  '{"tools":7}',
  '{"tools":[{"tool":"far_act","server":"s","folder":"/work","definition":{}}]}',
])('a file that cannot be read allows nothing: %s', (text) => {
  const pins = new ToolPins(join(folder, 'pins.json'));
  writeFileSync(join(folder, 'pins.json'), text);
  expect(pins.find(wanted)).toBeUndefined();
  pins.put({ ...wanted, definition: definition('one') });
  expect(pins.find(wanted)?.definition.hash).toBe('one');
});

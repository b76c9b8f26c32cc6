import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ExternalDefinition } from '#lib/tools/catalogue/external-definition.ts';
import { externalTool } from '#lib/tools/catalogue/external-tool.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { type DescribedTool, PinnedTools, type PinnedToolsOptions } from './pinned-tools.ts';
import { ToolPins } from './tool-pins.ts';

let place: string;
let notices: string[];
/** The current description of the tool, where it comes from. */
let now: DescribedTool | undefined;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'pinned-tools-'));
  notices = [];
  now = { identity: 'one', definition: definition('a') };
});
afterEach(() => rmSync(place, { recursive: true }));

const definition = (hash: string): ExternalDefinition => ({
  name: 'act',
  description: 'Acts.',
  inputSchema: { type: 'object' },
  isDestructive: false,
  hash,
});
const toolOf = (hash: string) =>
  externalTool({
    name: 'far_act',
    toolset: 'rest-far',
    effect: 'execute',
    inputSchema: { type: 'object' },
    metadata: { definition: hash },
    execute: async () => ({ content: '' }),
  });
const open = (more: Partial<PinnedToolsOptions> = {}) =>
  new PinnedTools({
    sources: [{ describe: () => undefined }, { describe: () => now }],
    root: '/work',
    pins: new ToolPins(join(place, 'pins.json')),
    onNotice: (text) => notices.push(text),
    ...more,
  });

test('a tool is known as it was when it was allowed, in its folder, and of where it comes from', () => {
  const tool = toolOf('a');
  expect(open().isKnown(tool)).toBe(false);
  expect(open().remember(tool)).toBe(true);
  expect(open().isKnown(tool)).toBe(true);
  expect(open().changeOf(tool)).toBeUndefined();
  expect(open({ root: '/other' }).isKnown(tool)).toBe(false);
  now = { identity: 'two', definition: definition('a') };
  expect(open().isKnown(tool)).toBe(false);
  now = { identity: 'one', definition: definition('b') };
  expect(open().isKnown(tool), 'it is no longer what was offered').toBe(false);
  expect(open().isKnown(toolOf('b'))).toBe(false);
  expect(open().changeOf(toolOf('b'))).toEqual({ before: definition('a'), now: definition('b') });
  now = undefined;
  expect(open().isKnown(tool), 'it is gone').toBe(false);
});

test('what is no longer there, or no longer the same, is not remembered', () => {
  for (const other of [undefined, { identity: 'one', definition: definition('b') }]) {
    now = other;
    expect(open().remember(toolOf('a'))).toBe(false);
  }
  now = { identity: 'one', definition: definition('a') };
  expect(open().isKnown(toolOf('a'))).toBe(false);
});

test('a tool that a file of the person lists is known in all folders, as it is first seen', () => {
  now = { identity: 'one', definition: definition('a'), isListed: true };
  expect(open().isKnown(toolOf('a'))).toBe(true);
  now = { identity: 'one', definition: definition('b'), isListed: true };
  expect(open({ root: '/other' }).isKnown(toolOf('b'))).toBe(false);
});

test('what was allowed can be forgotten', () => {
  open().remember(toolOf('a'));
  open({ root: '/other' }).forget(toolOf('a'));
  expect(open().isKnown(toolOf('a'))).toBe(true);
  open().forget(toolOf('a'));
  expect(open().isKnown(toolOf('a'))).toBe(false);
});

test('where nothing can be kept, nothing is known, and that is said', () => {
  const trust = open({ pins: undefined });
  expect(trust.remember(toolOf('a'))).toBe(false);
  expect(trust.isKnown(toolOf('a'))).toBe(false);
  expect(notices).toEqual([expect.stringContaining('far_act is allowed in this session only')]);
});

test('of a tool that the person has seen, no description is shown; the program’s own are none of these', () => {
  now = { identity: 'one', definition: definition('a'), wasShown: true };
  expect(open().changeOf(toolOf('a'))).toBeUndefined();
  expect(open().isKnown(toolOf('a'))).toBe(false);
  const own = toolRegistry.get('read_file');
  expect(own && open().isKnown(own)).toBeUndefined();
});

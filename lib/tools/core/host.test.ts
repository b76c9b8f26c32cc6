import { describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { MapLedger } from '../test/map-ledger.ts';
import { testCapabilities } from '../test/run-tool.ts';
import { toolRegistry } from '../toolsets.ts';
import { createToolExecutor } from './executor.ts';
import { externalTool } from './external-tool.ts';
import { ToolHost } from './host.ts';
import { ToolRegistry } from './registry.ts';
import { ToolDefinitionError } from './tool.ts';
import type { ToolCall } from './tool-call.ts';

const files = new MemoryFileSystem();
const { search } = testCapabilities(files);
const namesOf = (host: ToolHost) => host.list().map(({ name }) => name);

describe('a host offers the tools whose needs it meets', () => {
  test('one with everything offers all of them, in their order', () => {
    expect(namesOf(new ToolHost(toolRegistry, testCapabilities(files)))).toEqual(
      toolRegistry.list().map(({ name }) => name),
    );
  });

  test('one with files only offers what works on files alone', () => {
    const host = new ToolHost(toolRegistry, { files });
    const filesOnly = toolRegistry.list().filter(({ needs }) => needs.every((need) => need === 'files'));
    expect(host.list()).toEqual(filesOnly);
    expect(namesOf(host)).toContain('read_file');
    expect(host.get('search_text')).toBeUndefined();
    expect(host.get('grep')).toBeUndefined();
    expect(new ToolHost(toolRegistry, { files, search }).get('grep')?.name).toBe('search_text');
  });

  test('one with nothing offers nothing', () => {
    expect(namesOf(new ToolHost(toolRegistry, {}))).toEqual([]);
  });
});

describe('tools from elsewhere', () => {
  const remote = externalTool({
    name: 'remote/find',
    toolset: 'remote',
    effect: 'execute',
    aliases: ['find_it'],
    inputSchema: { type: 'object' },
    execute: async () => ({ content: 'found' }),
  });
  const call: ToolCall = { toolCallId: 'call-1', toolName: 'remote/find', input: {}, inputState: 'complete' };
  const open = () => {
    const registry = new ToolRegistry([]);
    const ledger = new MapLedger();
    const host = new ToolHost(registry, {});
    const executor = createToolExecutor({
      host,
      ledger,
      claimant: 'page',
      fence: async () => undefined,
      hasCommitted: async () => false,
      decide: () => ({ type: 'allow' }),
      ask: async () => ({ type: 'allow' }),
    });
    const { signal } = new AbortController();
    return { registry, ledger, host, execute: () => executor.execute(call, { stop: signal, detach: signal }) };
  };

  test('are there as soon as they are added, and gone as soon as they are removed', () => {
    const { registry, host } = open();
    let changes = 0;
    const unsubscribe = registry.subscribe(() => changes++);
    const remove = registry.add([remote]);
    expect(namesOf(host)).toEqual(['remote/find']);
    remove();
    expect(namesOf(host)).toEqual([]);
    expect(host.get('find_it')).toBeUndefined();
    unsubscribe();
    registry.add([remote]);
    expect(changes).toBe(2);
  });

  test('whose name is taken are refused together, and nothing changes', () => {
    const { registry } = open();
    registry.add([remote]);
    const others = [
      { ...remote, name: 'other', aliases: [] },
      { ...remote, name: 'find_it', aliases: [] },
    ];
    expect(() => registry.add(others)).toThrow(ToolDefinitionError);
    expect(registry.list()).toEqual([remote]);
  });

  test('[R1] a call of a tool that has gone gets its one result: there is no such tool', async () => {
    const { registry, execute } = open();
    registry.add([remote])();
    expect(await execute()).toMatchObject({ type: 'tool-error', code: 'no-such-tool' });
  });

  test('[R3] a call that was claimed before its tool went may have run, and says so', async () => {
    const { registry, ledger, execute } = open();
    registry.add([remote])();
    await ledger.claim({ toolCallId: 'call-1', claimant: 'earlier page' }, undefined);
    expect(await execute()).toMatchObject({ type: 'tool-error', code: 'interrupted' });
  });
});

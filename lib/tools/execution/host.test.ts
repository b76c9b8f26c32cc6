import { describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { externalTool } from '../catalogue/external-tool.ts';
import { ToolRegistry } from '../catalogue/registry.ts';
import { CATALOGUE_LIMITS } from '../core/limits.ts';
import { ToolDefinitionError } from '../core/tool.ts';
import type { ToolCall } from '../core/tool-call.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { MapLedger } from '../test/map-ledger.ts';
import { testCapabilities } from '../test/run-tool.ts';
import { toolRegistry } from '../toolsets.ts';
import { createToolExecutor } from './executor.ts';
import { ToolHost } from './host.ts';

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

describe('external tools', () => {
  const remote = externalTool({
    name: 'remote/find',
    toolset: 'remote',
    effect: 'execute',
    aliases: ['find_it'],
    inputSchema: { type: 'object' },
    execute: async () => ({ content: 'found' }),
  });
  const call: ToolCall = { toolCallId: 'call-1', toolName: 'remote/find', input: {}, inputState: 'complete' };
  /** `ask`: what happens while the user is asked; without it, nobody is. */
  const open = ({ ask }: { ask?: () => void } = {}) => {
    const registry = new ToolRegistry([]);
    const ledger = new MapLedger();
    const host = new ToolHost(registry, {});
    const executor = createToolExecutor({
      host,
      ledger,
      claimant: 'page',
      fence: async () => undefined,
      hasCommitted: async () => false,
      decide: () => ({ type: ask === undefined ? 'allow' : 'ask' }),
      ask: async () => {
        ask?.();
        return { type: 'allow' };
      },
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

  test('that a server would refuse together are refused at once', () => {
    const { registry } = open();
    const many = Array.from({ length: CATALOGUE_LIMITS.tools + 1 }, (_, n) => ({
      ...remote,
      name: `t${n}`,
      aliases: [],
    }));
    let deep: JsonSchema = true;
    for (let level = 0; level < CATALOGUE_LIMITS.depth; level++) deep = { not: deep };
    const large = many
      .slice(0, 100)
      .map((tool) => ({ ...tool, description: 'x'.repeat(CATALOGUE_LIMITS.description) }));
    for (const tools of [many, large, [{ ...remote, inputSchema: { type: 'object' as const, not: deep } }]])
      expect(() => registry.add(tools)).toThrow(ToolDefinitionError);
    expect(registry.list()).toEqual([]);
  });

  test('cannot join a toolset of the studio', () => {
    const registry = new ToolRegistry([
      { ...remote, name: 'own_tool', description: 'Ours.', inputSchema: { type: 'object' } },
    ]);
    expect(() => registry.add([{ ...remote, name: 'other', aliases: [] }])).toThrow('tools of the studio');
  });

  test('[R1] a call whose tool goes or changes while the user is asked is not run', async () => {
    const changes: ((registry: ToolRegistry, remove: () => void) => void)[] = [
      (_, remove) => remove(),
      (registry, remove) => {
        remove();
        registry.add([{ ...remote }]);
      },
    ];
    for (const change of changes) {
      const opened = open({ ask: () => change(opened.registry, remove) });
      const remove = opened.registry.add([remote]);
      expect(await opened.execute()).toMatchObject({ type: 'tool-error', code: 'no-such-tool' });
    }
  });

  test('[R3] a write that leaves no commit in the workspace may have happened, and is not repeated', async () => {
    const { registry, ledger, execute } = open();
    registry.add([{ ...remote, effect: 'write' }]);
    await ledger.claim({ toolCallId: 'call-1', claimant: 'earlier page' }, undefined);
    expect(await execute()).toMatchObject({ type: 'tool-error', code: 'interrupted' });
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

import { describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { externalTool } from '../catalogue/external-tool.ts';
import { ToolRegistry } from '../catalogue/registry.ts';
import { contentText } from '../core/content.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { createToolExecutor, type ToolExecutorOptions } from '../execution/executor.ts';
import { ToolHost } from '../execution/host.ts';
import { readFile } from '../files/read-file.ts';
import { MapLedger } from '../test/map-ledger.ts';
import { testCapabilities } from '../test/run-tool.ts';
import { FOUND_TOOLS_MAX, searchTools } from './search-tools.ts';
import { toolSearchFragment } from './toolset.ts';
import { useTool } from './use-tool.ts';

const foreign = (name: string, description: string, properties: Record<string, object> = {}): Tool =>
  externalTool({
    name,
    description,
    toolset: `mcp-${name.split('_')[0]}`,
    effect: 'execute',
    inputSchema: { type: 'object', properties },
    execute: async () => ({ content: '' }),
  });

const TOOLS = [
  foreign('tracker_create_issue', 'Opens a new ticket.', { title: { type: 'string' } }),
  foreign('tracker_closeIssue', 'Ends a ticket.'),
  foreign('mail_send', 'Sends a letter to somebody.', { recipient: { type: 'string' } }),
  ...Array.from({ length: 20 }, (_, n) => foreign(`shop_article${n}`, 'Describes an article of the shop.')),
];
const OWN = { ...foreign('read_file', 'Reads a file.'), toolset: 'files' };

const context = { offered: () => [...TOOLS, OWN] } as unknown as ToolContext;

const search = async (query: string) => contentText((await searchTools.execute({ query }, context)).content);

describe('a search', () => {
  test.each([
    ['create issue', 'tracker_create_issue'],
    ['close an issue', 'tracker_closeIssue'],
    ['letter', 'mail_send'],
    ['recipient', 'mail_send'],
    ['sendd', 'mail_send'],
    ['mail', 'mail_send'],
    ['tracker_create_issue', 'tracker_create_issue'],
  ])('for “%s” finds %s first', async (query, name) => {
    expect((await search(query)).split(':', 1)[0]).toBe(name);
  });

  test('shows what is needed to call a tool', async () => {
    expect(await search('tracker_create_issue')).toBe(
      'tracker_create_issue: Opens a new ticket.\nArguments: {"type":"object","properties":{"title":{"type":"string"}}}',
    );
  });

  test('shows only so many, and says that there are more', async () => {
    const found = await search('article');
    expect(found.match(/^shop_article/gm)).toHaveLength(FOUND_TOOLS_MAX);
    expect(found).toContain('12 more.');
  });

  test('finds none of the studio’s own tools, and says so', async () => {
    expect(await search('zzzzzz')).toMatch(/^None of the 23 tools match\./);
    expect(await search('read_file')).not.toContain('Reads a file.');
  });

  test('shows long schemas and descriptions in part', async () => {
    const long = foreign('big_one', 'x'.repeat(5_000), { first: { type: 'string', description: 'y'.repeat(9_000) } });
    const { content } = await searchTools.execute({ query: 'big_one' }, {
      offered: () => [long],
    } as unknown as ToolContext);
    expect(contentText(content).length).toBeLessThan(1_000);
    expect(contentText(content)).toContain('Arguments: first (the schema is too long to show)');
  });
});

describe('a tool that was found', () => {
  const ran: unknown[] = [];
  const sending = externalTool({
    name: 'mail_send',
    description: 'Sends a letter.',
    toolset: 'mcp-mail',
    effect: 'execute',
    inputSchema: { type: 'object', properties: { recipient: { type: 'string' } }, required: ['recipient'] },
    async execute(input) {
      ran.push(input);
      return { content: 'Sent.', data: { id: 1 } };
    },
  });
  const registry = new ToolRegistry([searchTools, useTool, readFile]);
  registry.add([sending]);
  const ledger = new MapLedger();
  const execute = (input: unknown, toolCallId: string, options: Partial<ToolExecutorOptions> = {}) => {
    const files = new MemoryFileSystem();
    return createToolExecutor({
      host: new ToolHost(registry, testCapabilities(files)),
      ledger,
      claimant: 'tab-1',
      fence: async () => undefined,
      hasCommitted: async () => false,
      decide: () => ({ type: 'allow' }),
      ask: () => Promise.reject(new Error('nobody asks')),
      ...options,
    }).execute(
      { toolCallId, toolName: 'use_tool', input, inputState: 'complete' },
      { stop: new AbortController().signal, detach: new AbortController().signal },
    );
  };
  const letter = { name: 'mail_send', arguments: { recipient: 'Ada' } };

  test('is called with its arguments, and its result is that of the call', async () => {
    const result = await execute(letter, 'call-1');
    expect(result).toMatchObject({ type: 'tool-result', output: { content: 'Sent.', data: { id: 1 } } });
    expect(ran).toEqual([{ recipient: 'Ada' }]);
  });

  test('[R3] is asked about itself, before anything is claimed', async () => {
    const asked: unknown[] = [];
    const result = await execute(letter, 'call-2', {
      decide: () => ({ type: 'ask' }),
      async ask({ toolCallId, input }, { name }) {
        asked.push({ toolCallId, input, name, claimed: await ledger.get(toolCallId) });
        return { type: 'deny', reason: 'No.' };
      },
    });
    expect(asked).toEqual([
      { toolCallId: 'call-2', input: { recipient: 'Ada' }, name: 'mail_send', claimed: undefined },
    ]);
    expect(result).toMatchObject({ code: 'denied', message: 'Not run. No.' });
  });

  test('[R5] is given only arguments that fit its schema', async () => {
    const result = await execute({ name: 'mail_send', arguments: { recipient: 1 } }, 'call-3');
    expect(result).toMatchObject({ code: 'invalid-input', message: expect.stringContaining('mail_send') });
    expect(await execute({ name: 'mail_send', arguments: 'Ada' }, 'call-4')).toMatchObject({ code: 'invalid-input' });
    expect(ran).toHaveLength(1);
  });

  test.each(['read_file', 'use_tool', 'search_tools', 'nothing'])(
    'is none of those that are listed, such as %s',
    async (name) => {
      expect(await execute({ name, arguments: { path: '/a' } }, `call-${name}`)).toMatchObject({
        code: 'no-such-tool',
      });
    },
  );
});

test('what the model is told says how many tools there are, and nothing that a server says', () => {
  const toolsets = ['files', ...Array.from({ length: 100 }, (_, n) => `mcp-s${n % 50}`)];
  const { text } = toolSearchFragment(toolsets).sections[0] ?? { text: '' };
  expect(text).toContain('s0 (2), s1 (2), s10 (2)');
  expect(text).toContain('others');
  expect(text.length).toBeLessThan(1_000);
});

import { describe, expect, test } from 'vitest';
import { contentText } from '../core/content.ts';
import { externalTool } from '../core/external-tool.ts';
import { failure } from '../core/failure.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { FOUND_TOOLS_MAX, searchTools } from './search-tools.ts';
import { toolSearchFragment } from './toolset.ts';
import { useTool } from './use-tool.ts';

const foreign = (name: string, description: string, properties: Record<string, object> = {}): Tool =>
  externalTool({
    ...{ name, description, toolset: `mcp-${name.split('_')[0]}`, effect: 'execute' },
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

const context = (callTool: ToolContext['callTool'] = () => Promise.reject(new Error('no call'))) =>
  ({ offered: () => [...TOOLS, OWN], callTool }) as unknown as ToolContext;

const search = async (query: string) => contentText((await searchTools.execute({ query }, context())).content);

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
    expect(await search('zzzzzz')).toMatch(/^No tool was found among 23\./);
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
  test('is called with its arguments, and its result is that of the call', async () => {
    const calls: unknown[] = [];
    const output = await useTool.execute(
      { name: 'mail_send', arguments: { recipient: 'Ada' } },
      context(async (toolName, input) => {
        calls.push([toolName, input]);
        return { type: 'tool-result', toolCallId: 'i', toolName, output: { content: 'Sent.', data: { id: 1 } } };
      }),
    );
    expect(calls).toEqual([['mail_send', { recipient: 'Ada' }]]);
    expect(output).toEqual({ content: 'Sent.', data: { id: 1 } });
  });

  test('fails as its call does', async () => {
    const denied = failure({ toolCallId: 'i', toolName: 'mail_send' }, 'denied', 'Not run. No.');
    const running = useTool.execute(
      { name: 'mail_send', arguments: {} },
      context(async () => denied),
    );
    await expect(running).rejects.toMatchObject({ code: 'denied', message: 'Not run. No.' });
  });

  test('is none of those that are listed', async () => {
    for (const name of ['read_file', 'use_tool', 'nothing'])
      await expect(useTool.execute({ name, arguments: {} }, context())).rejects.toMatchObject({ code: 'no-such-tool' });
  });
});

test('what the model is told says how many tools there are, and nothing that a server says', () => {
  const toolsets = ['files', ...Array.from({ length: 100 }, (_, n) => `mcp-s${n % 50}`)];
  const { text } = toolSearchFragment(toolsets).sections[0] ?? { text: '' };
  expect(text).toContain('s0 (2), s1 (2), s10 (2)');
  expect(text).toContain('others');
  expect(text.length).toBeLessThan(1_000);
});

import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { McpSession } from './session.ts';

const signal = new AbortController().signal;

test('the reference server for files is used over its standard streams', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'roundtrip-mcp-')));
  await writeFile(join(folder, 'a.txt'), 'Hello');
  const script = new URL(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')).pathname;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, folder],
    env: { PATH: process.env.PATH ?? '' },
    stderr: 'ignore',
  });
  const session = await McpSession.open(transport, { onChange: () => undefined, onClose: () => undefined });
  try {
    const { tools, refused, era } = await session.list();
    expect([era, refused]).toEqual(['legacy', []]);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['read_text_file', 'write_file']));
    expect(await session.call('read_text_file', { path: join(folder, 'a.txt') }, { signal })).toMatchObject({
      type: 'output',
      content: [{ type: 'text', text: 'Hello' }],
    });
    expect(await session.call('read_text_file', { path: '/etc/passwd' }, { signal })).toMatchObject({
      type: 'failure',
      message: expect.stringContaining('Access denied'),
    });
  } finally {
    await session.close();
    await rm(folder, { recursive: true });
  }
});

import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Client,
  type JsonSchemaType,
  ProtocolErrorCode,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_CONFIG } from '#hosts/local/config.ts';
import { folderTools } from '#hosts/local/tools.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { CliBench, ended } from '../lib/cli-bench.ts';

const ALLOWED = 'permissions:\n  write: allow\n  execute: allow\n';

/** The protocol versions of the clients. The daily run tries only the newest. */
const ERAS: { version: string; mode: VersionNegotiationMode }[] = [
  { version: '2026-07-28', mode: { pin: '2026-07-28' } },
  ...(process.env.LONG_SUITES === '1' ? [{ version: '2025-11-25', mode: 'legacy' as const }] : []),
];

const SERVER = [process.execPath, join(ROOT, 'bin/roundtrip.js'), 'mcp'] as const;

let bench: CliBench;
let clients: Client[];
beforeEach(async () => {
  clients = [];
  bench = await CliBench.start();
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await bench.stop();
});

/** Connects a client to a server that it starts in the folder. `config`: the folder's configuration. */
async function connect(
  mode: VersionNegotiationMode,
  config = '',
  [command, ...args]: readonly [string, ...string[]] = SERVER,
): Promise<Client> {
  if (config !== '') bench.write({ '.roundtrip/config.yaml': config });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  clients.push(client);
  const { XDG_STATE_HOME = '' } = bench.environment;
  const env = { LOG_LEVEL: 'debug', XDG_STATE_HOME };
  await client.connect(new StdioClientTransport({ command, args, cwd: bench.folder, env }));
  return client;
}

type CallResult = Awaited<ReturnType<Client['callTool']>>;

/** The text of a result. */
const textOf = ({ content }: CallResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');

/** A command that never ends by itself, and something that only its processes have in their arguments. */
function endlessCommand(): { command: string; mark: string } {
  const mark = `sleep 600.${randomInt(1_000_000_000)}`;
  return { command: `${mark} & echo > started.txt; ${mark}; echo > late.txt`, mark };
}

const runs = (mark: string): boolean =>
  spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).stdout.includes(mark);

/** Resolves when an endless command runs. */
async function started(mark: string): Promise<void> {
  await expect.poll(() => bench.read('started.txt'), { timeout: 10_000 }).toBeDefined();
  expect(runs(mark)).toBe(true);
}

describe.each(ERAS)('roundtrip mcp, $version', ({ version, mode }) => {
  test('lists tools with what they do, and their schemas as they are', async () => {
    const client = await connect(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    const own = folderTools(DEFAULT_CONFIG, true).list();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['read_file', 'write_file', 'execute_bash', 'browser_js_eval', 'get_diagnostics']),
    );
    expect(names).not.toContain('preview_open');
    const validator = new AjvJsonSchemaValidator();
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      const tool = own.find((other) => other.name === name);
      expect(description).toBe(tool?.description);
      expect(inputSchema).toEqual(tool?.inputSchema);
      expect(outputSchema).toEqual(tool?.outputSchema && expect.objectContaining(tool.outputSchema));
      for (const schema of [inputSchema, outputSchema ?? {}] as JsonSchemaType[])
        expect(() => validator.getValidator(schema), name).not.toThrow();
      const isRead = tool?.effect === 'read';
      expect(annotations, name).toEqual({
        readOnlyHint: isRead,
        destructiveHint: !isRead,
        idempotentHint: isRead,
        openWorldHint: false,
      });
    }
    expect(tools.find(({ name }) => name === 'browser_js_eval')).toHaveProperty('outputSchema');
  });

  test('reads, writes and runs commands in the folder', async () => {
    bench.write({ 'a.txt': 'alpha\n' });
    const client = await connect(mode, ALLOWED);
    const read = await client.callTool({ name: 'read_file', arguments: { path: '/a.txt' } });
    expect([read.isError, textOf(read)]).toEqual([undefined, 'alpha\n']);
    // The usual names work as well.
    const write = await client.callTool({ name: 'write', arguments: { file_path: '/b.txt', content: 'beta\n' } });
    expect([write.isError, bench.read('b.txt')]).toEqual([undefined, 'beta\n']);
    const bash = await client.callTool({
      name: 'bash',
      arguments: { command: 'cat a.txt b.txt; echo no >&2; exit 3' },
    });
    expect(bash.structuredContent).toEqual({ stdout: 'alpha\nbeta\n', stderr: 'no\n', exitCode: 3 });
    expect(textOf(bash)).toContain('alpha\nbeta');
  });

  test('the data of a result matches the output schema, which the client checks', async () => {
    bench.write({ 'src/a.txt': 'a' });
    const client = await connect(mode, ALLOWED);
    await client.listTools();
    const code = 'console.log("hi"); new Map([["a", [1, { b: null }]]])';
    const value = await client.callTool({ name: 'browser_js_eval', arguments: { code } });
    expect(textOf(value)).toContain('hi\n=> Map(1)');
    expect(value.structuredContent).toMatchObject({
      value: { type: 'object', label: 'Map(1) ', entries: [[{ text: 'a' }, { type: 'object', open: '[' }]] },
      console: [{ level: 'log', values: [{ type: 'string', text: 'hi' }] }],
    });
    const list = await client.callTool({ name: 'list_directory', arguments: { path: '/' } });
    expect(textOf(list)).toBe('src/');
    expect(list.structuredContent).toMatchObject({ entries: [expect.anything()], total: 1 });
  });

  test('a call that fails has a result with the reason, for the model', async () => {
    const client = await connect(mode, ALLOWED);
    await client.listTools();
    for (const [name, input, reason] of [
      ['read_file', { path: '/none.txt' }, /ENOENT: .*\/none\.txt/],
      ['read_file', { path: 3 }, /"path": .*expected string/],
      ['read_file', {}, /"path"/],
      ['browser_js_eval', { code: 'null.x' }, /null/],
    ] as const) {
      const result = await client.callTool({ name, arguments: input });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(reason);
      expect(result).not.toHaveProperty('structuredContent');
    }
  });

  test('a tool that does not exist is a mistake in the request, and the answer names those that do', async () => {
    const client = await connect(mode);
    await expect(client.callTool({ name: 'fly', arguments: {} })).rejects.toMatchObject({
      code: ProtocolErrorCode.InvalidParams,
      message: expect.stringMatching(/no tool "fly".*read_file/),
    });
    await expect(client.listTools()).resolves.toHaveProperty('tools');
  });

  test('what the configuration does not allow is denied with the reason', async () => {
    const client = await connect(mode);
    for (const [name, input, reason] of [
      ['write_file', { path: '/x.txt', content: 'x' }, 'write: allow'],
      ['execute_bash', { command: 'touch x.txt' }, 'execute: allow'],
      ['browser_js_eval', { code: '1' }, 'execute: allow'],
    ] as const) {
      const result = await client.callTool({ name, arguments: input });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain(reason);
    }
    expect(bench.read('x.txt')).toBeUndefined();
  });

  test('a call that takes long says that it is still running', async () => {
    const client = await connect(mode, ALLOWED);
    const told: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => {
      told.push(progress);
      if (progress === 2) bench.write({ 'go.txt': '' });
    };
    const command = 'until [ -e go.txt ]; do sleep 0.05; done; echo done';
    const result = await client.callTool({ name: 'bash', arguments: { command } }, { onprogress });
    expect(textOf(result)).toBe('done');
    // On a busy machine, the command takes longer, and there are more of them.
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(told).toEqual(told.map((_, index) => index + 1));
  });

  test('cancelling a call ends its command with everything that it has started', async () => {
    const client = await connect(mode, ALLOWED);
    const { command, mark } = endlessCommand();
    const cancelling = new AbortController();
    const call = client.callTool({ name: 'bash', arguments: { command } }, { signal: cancelling.signal });
    const rejected = expect(call).rejects.toThrow('not needed');
    await started(mark);
    cancelling.abort('not needed');
    await rejected;
    // It runs when the call before it has ended.
    const next = await client.callTool({ name: 'bash', arguments: { command: 'echo next' } });
    expect(textOf(next)).toBe('next');
    await expect.poll(() => runs(mark)).toBe(false);
    expect(bench.read('late.txt')).toBeUndefined();
  });

  test('reads run side by side, and see the writes that were sent before them', async () => {
    bench.write({ 'a.txt': `${'a'.repeat(30)}!\n` });
    const client = await connect(mode, ALLOWED);
    const cancelling = new AbortController();
    // Never finishes before its time limit, on a thread of its own.
    const slow = client.callTool(
      { name: 'search_text', arguments: { pattern: '^(a+)+$' } },
      { signal: cancelling.signal },
    );
    const rejected = expect(slow).rejects.toThrow('enough');
    const fast = await client.callTool({ name: 'read_file', arguments: { path: '/a.txt' } });
    expect(textOf(fast)).toMatch(/^a+!/);
    cancelling.abort('enough');
    await rejected;
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? client.callTool({ name: 'write_file', arguments: { path: '/n.txt', content: String(index) } })
          : client.callTool({ name: 'read_file', arguments: { path: '/n.txt' } }),
      ),
    );
    expect(results.filter((_, index) => index % 2 === 1).map(textOf)).toEqual(
      Array.from({ length: 10 }, (_, index) => String(2 * index)),
    );
  });

  test('the end of the input stops what runs and ends with 0, and only the protocol was written', async () => {
    const place = join(bench.outside, 'record');
    const script = '{ "$@"; echo $? > "$0.$$.code"; } | tee "$0.$$.out"';
    const client = await connect(mode, ALLOWED, ['sh', '-c', script, place, ...SERVER]);
    const { transport } = client;
    if (!(transport instanceof StdioClientTransport)) throw new Error('not a process');
    // To find out the era, the client may have started another one before.
    const record = `${place}.${transport.pid}`;
    await client.listTools();
    const { command, mark } = endlessCommand();
    const call = client.callTool({ name: 'bash', arguments: { command } }, { onprogress: () => undefined });
    const rejected = expect(call).rejects.toThrow('closed');
    await started(mark);
    await client.close();
    await rejected;
    expect(readFileSync(`${record}.code`, 'utf8')).toBe('0\n');
    expect(runs(mark)).toBe(false);
    const lines = readFileSync(`${record}.out`, 'utf8').trim().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });
});

describe('roundtrip mcp', () => {
  test('a message that is too long ends the process with the reason', async () => {
    const child = bench.start(['mcp'], { input: 'x'.repeat(17_000_000) });
    // It ends before it has read everything.
    child.stdin?.on('error', () => undefined);
    const { code, stdout, stderr } = await ended(child);
    expect(stderr).toMatch(/exceeded maximum size/);
    expect(stderr).not.toContain('Warning');
    expect([code, stdout]).toEqual([1, '']);
  });

  test('when nobody reads any more, the process ends', async () => {
    const child = bench.open(['mcp']);
    child.stdout?.destroy();
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })}\n`);
    expect(await once(child, 'close')).toEqual([1, null]);
  });

  test('a signal stops what runs, and ends the process', async () => {
    bench.write({ '.roundtrip/config.yaml': ALLOWED });
    const child = bench.open(['mcp']);
    const { command, mark } = endlessCommand();
    const params = { name: 'bash', arguments: { command } };
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
    await started(mark);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(runs(mark)).toBe(false);
  });
});

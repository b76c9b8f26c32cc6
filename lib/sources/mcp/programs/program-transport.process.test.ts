import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { McpSession } from '#lib/sources/mcp/session.ts';
import { PROGRAM_LIMITS } from './limits.ts';
import { ProgramTransport } from './program-transport.ts';

const HERE = join(import.meta.dirname, 'test');
const ROOT = join(import.meta.dirname, '../../../..');

const opened: McpSession[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

const programAt = (file: string, args: readonly string[] = [], env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [file, ...args],
  cwd: HERE,
  env: { PATH: process.env.PATH ?? '', ...env },
});

/** Connects to a program. */
async function open(program = programAt(join(HERE, 'program.ts')), lines: string[] = []) {
  const transport = new ProgramTransport(program, (line) => lines.push(line));
  let isOver = false;
  const session = await McpSession.open(transport, {
    onChange: () => undefined,
    onClose: () => {
      isOver = true;
    },
  });
  opened.push(session);
  const call = (name: string, args: Record<string, unknown> = {}, signal = new AbortController().signal) =>
    session.call(name, args, { signal });
  return { transport, session, call, isOver: () => isOver };
}

const plain = (behavior: string, env: Record<string, string> = {}) =>
  programAt(join(HERE, 'program.ts'), [behavior], env);

const isRunning = (mark: string): boolean =>
  spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).stdout.includes(mark);

describe('a tool server that is a program', () => {
  test.each(['plain', 'strict', 'deaf'])('is spoken to in the version that it knows: %s', async (behavior) => {
    const { session, call } = await open(plain(behavior));
    const { era, tools } = await session.list();
    expect(era).toBe('legacy');
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(await call('echo', { text: 'hi' })).toMatchObject({ content: [{ text: 'hi' }] });
  });

  test('may speak the current version', async () => {
    const { session, call } = await open(programAt(join(HERE, 'modern-program.ts')));
    expect((await session.list()).era).toBe('modern');
    expect(await call('echo', { text: 'hi' })).toMatchObject({ content: [{ text: 'hi' }] });
  });

  test('works as others have written it', async () => {
    const file = join(ROOT, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
    const { session, call } = await open(programAt(file, [HERE]));
    const { tools, refused } = await session.list();
    expect(refused).toEqual([]);
    expect(tools.map(({ name }) => name)).toContain('list_directory');
    expect(await call('list_directory', { path: HERE })).toMatchObject({
      content: [{ text: expect.stringContaining('[FILE] program.ts') }],
    });
  });

  test('gets the variables that it is given, and no others', async () => {
    const { call } = await open(plain('plain', { GIVEN: 'yes' }));
    const outcome = await call('env');
    if (outcome.type !== 'output' || outcome.content[0]?.type !== 'text') throw new Error('no text');
    const env = JSON.parse(outcome.content[0].text);
    expect(Object.keys(env).filter((name) => !name.startsWith('__CF'))).toEqual(['PATH', 'GIVEN']);
  });

  test('that is killed in the middle of a call ends the call, which may have made changes', async () => {
    const { call, transport, isOver } = await open();
    expect(await call('die')).toEqual({
      type: 'failure',
      code: 'failed',
      message: expect.stringContaining('may have made changes'),
    });
    expect(isOver()).toBe(true);
    expect(transport.problem).toBe('The server’s program ended (signal SIGKILL).');
    expect(await call('echo', { text: 'x' })).toMatchObject({ type: 'failure' });
  });

  test('is ended with everything that it has started', async () => {
    const { call, session, transport } = await open();
    const seconds = `600.${randomInt(1_000_000_000)}`;
    await call('leave', { seconds });
    expect(isRunning(`sleep ${seconds}`)).toBe(true);
    await session.close();
    await expect.poll(() => isRunning(`sleep ${seconds}`)).toBe(false);
    expect(transport.problem).toBeUndefined();
  });

  test('that writes what is no message is understood otherwise', async () => {
    const { call } = await open();
    expect(await call('garbage')).toMatchObject({ content: [{ text: 'clean' }] });
  });

  test('keeps all digits of the numbers in its results', async () => {
    const { call } = await open();
    expect(await call('long')).toMatchObject({ data: { id: '12345678901234567890' } });
  });

  test('that writes an endless message is ended', async () => {
    const { call, transport } = await open();
    expect(await call('big')).toMatchObject({ type: 'failure' });
    expect(transport.problem).toContain(`more than ${PROGRAM_LIMITS.messageBytes} bytes`);
  });

  test('can be stopped in the middle of a call', async () => {
    const { call } = await open();
    const stop = new AbortController();
    const outcome = call('hang', {}, stop.signal);
    stop.abort();
    expect(await outcome).toMatchObject({ type: 'failure', code: 'aborted' });
    expect(await call('echo', { text: 'on' })).toMatchObject({ content: [{ text: 'on' }] });
  });

  test('may write as much as it likes to its standard error', async () => {
    const lines: string[] = [];
    const { call } = await open(plain('plain', { TOKEN: 'abc' }), lines);
    expect(await call('scold')).toMatchObject({ content: [{ text: 'scolded' }] });
    await expect.poll(() => lines.length).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(PROGRAM_LIMITS.errorLine);
  });

  test('that never answers is asked for its version once, and can be ended', async () => {
    const transport = new ProgramTransport(plain('mute'));
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'server/discover' });
    const unknown = { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: expect.any(String) } };
    await expect.poll(() => received, { timeout: 2 * PROGRAM_LIMITS.probeMs }).toEqual([unknown]);
    await transport.send({ jsonrpc: '2.0', id: 2, method: 'initialize' });
    await transport.close();
    expect(received).toHaveLength(1);
    await expect(transport.send({ jsonrpc: '2.0', id: 3, method: 'tools/list' })).rejects.toThrow('was closed');
  });

  test('that does not exist says so', async () => {
    const program = { ...plain('plain'), command: 'no-such-program-0815' };
    await expect(open(program)).rejects.toThrow('was not found');
  });

  test('that ends at once says so', async () => {
    const lines: string[] = [];
    const transport = new ProgramTransport(plain('dead'), (line) => lines.push(line));
    const ignore = { onChange: () => undefined, onClose: () => undefined };
    await expect(McpSession.open(transport, ignore)).rejects.toThrow('Connection closed');
    expect(transport.problem).toBe('The server’s program ended (exit code 3).');
    // Once for the question for its version, and once more.
    expect(lines).toHaveLength(2);
  });
});

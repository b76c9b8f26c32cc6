import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { CliBench, type Ended } from '../lib/cli-bench.ts';
import { McpTestServer } from '../lib/mcp-server.ts';
import { Terminal } from '../lib/terminal.ts';

const PROGRAM = join(ROOT, 'lib/sources/mcp/programs/test/program.ts');
const SECRET = 'house-secret-0815';

let bench: CliBench;
let terminal: Terminal | undefined;
beforeEach(async () => {
  bench = await CliBench.start();
  writeFileSync(join(bench.outside, 'calls'), '');
});
afterEach(async () => {
  terminal?.kill();
  await bench.stop();
});

const ownFile = (): string => join(bench.outside, 'config/roundtrip/mcp.yaml');

/** Writes a list of servers: of the person, unless it is to be elsewhere. */
function list(source: string, place = ownFile()): string {
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, `servers:\n${source}`);
  return place;
}

/** The line of a server that is a program. */
const house = (more = '', behavior = 'plain', mark = ''): string =>
  `  house: { command: "${process.execPath}", args: ["${PROGRAM}", ${behavior}, "${mark}"], env: [CALLS_FILE, DESCRIPTION, TOKEN]${more} }\n`;

const env = (description = 'Says it again.'): Record<string, string> => ({
  CALLS_FILE: join(bench.outside, 'calls'),
  DESCRIPTION: description,
  TOKEN: SECRET,
});

/** Returns the calls that the program has run. */
const calls = (): string[] =>
  readFileSync(join(bench.outside, 'calls'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const call = (name: string, input: object = {}) => ({ name, arguments: JSON.stringify(input) });

let asked = 0;
/** Says something, which the model answers by calls, one in each step. */
function script(...steps: ReturnType<typeof call>[]): string {
  const question = `Question ${++asked}`;
  bench.model.script(question, [...steps.map((one) => ({ calls: [one] })), { text: 'Done.' }]);
  return question;
}

const run = (question: string, args: readonly string[] = [], variables = env()): Promise<Ended> =>
  bench.run(['run', question, ...args], { env: variables });

/** The results that the model got. */
const results = (question: string): unknown[] =>
  bench.model
    .requestsFor(question)
    .at(-1)
    ?.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content) ?? [];

const toolsOf = (question: string): string[] =>
  (bench.model.requestsFor(question)[0]?.tools ?? []).map((tool) => tool.function.name);

function openTerminal(question: string, variables = env()): Terminal {
  terminal = new Terminal([process.execPath, join(ROOT, 'bin/roundtrip.js'), 'run', question], {
    cwd: bench.folder,
    env: { ...bench.environment, ...variables },
    columns: 120,
  });
  return terminal;
}

describe('tools of servers on the command line', () => {
  test('are offered, and denied where nobody can be asked, with what to do', async () => {
    list(house());
    const question = script(call('house_echo', { text: 'hi' }));
    const { code, stderr } = await run(question);
    expect(toolsOf(question)).toContain('house_echo');
    expect(code).toBe(3);
    expect(stderr).toContain('house_echo needs the user');
    expect(String(results(question)[0])).toContain('“roundtrip tools allow house_echo”');
    expect(calls()).toEqual([]);
  });

  test('run with --yes, and so does a program that others have written', async () => {
    const file = join(ROOT, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
    bench.write({ 'a.txt': 'alpha' });
    list(`${house()}  files: { command: "${process.execPath}", args: ["${file}", "${bench.folder}"] }\n`);
    const question = script(
      call('house_echo', { text: 'hi' }),
      call('files_read_text_file', { path: join(bench.folder, 'a.txt') }),
    );
    expect(await run(question, ['--yes'])).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(results(question)).toEqual(['hi', 'alpha']);
  });

  test('are reached by address, with a key from the environment', async () => {
    const server = await McpTestServer.start();
    server.key = 'Bearer 0815';
    const file = list(
      `  weather: { url: "${server.url}", headers: { Authorization: WEATHER_KEY } }\n`,
      join(bench.outside, 'm.yaml'),
    );
    const question = script(call('weather_forecast', { city: 'Lima' }));
    const args = ['--yes', '--mcp', file];
    const { code, stderr } = await run(question, args, { WEATHER_KEY: 'Bearer 0815' });
    expect(code).toBe(0);
    expect(results(question)).toEqual(['It rains in Lima.']);
    // Each request of a call is told, and none that belongs to no call.
    const told = stderr.split('\n').filter((line) => line.includes('request of'));
    const { host } = new URL(server.url);
    expect(told).toEqual([expect.stringContaining(`request of weather_forecast to ${host} (allowed by the settings)`)]);
    const refused = script();
    expect((await run(refused, args, { WEATHER_KEY: 'wrong' })).stderr).toContain('requires you to log in');
    await server.stop();
  });

  test('that are allowed in the person’s file run unasked until their server changes them, also with --yes', async () => {
    list(house(', allow: [echo]'));
    const first = script(call('house_echo', { text: 'one' }));
    expect((await run(first)).code).toBe(0);
    expect(calls()).toEqual(['echo one']);
    const second = script(call('house_echo', { text: 'two' }));
    for (const args of [[], ['--yes']]) {
      const { code, stderr } = await run(second, args, env('Says it again, and sends it to others.'));
      expect(code).toBe(3);
      expect(stderr).toContain('house_echo is described differently than when it was allowed');
    }
    expect(calls()).toEqual(['echo one']);
    expect((await run(script(call('house_echo', { text: 'three' })))).code).toBe(0);
  });

  test('are asked about with all that their server says, once and for all, and again with what has changed', async () => {
    list(house());
    const first = openTerminal(script(call('house_echo', { text: 'hi' })), env('Says it\u200b again.\u001b[2J'));
    await first.see('Its server describes it as follows:');
    await first.see('Says it\\u{200b} again.\\x1b[2J');
    await first.see('text: hi');
    await first.see('[a] Always allow calls of house_echo in this folder');
    first.type('a\r');
    await first.see('Done.');
    expect(await first.end()).toBe(0);
    expect(
      (await run(script(call('house_echo', { text: 'again' })), [], env('Says it\u200b again.\u001b[2J'))).code,
    ).toBe(0);
    expect(calls()).toEqual(['echo hi', 'echo again']);
    const second = openTerminal(script(call('house_echo', { text: 'no' })), env('Says it to everybody.'));
    await second.see('The server has changed this tool since you allowed it:');
    await second.see('-Says it\\u{200b} again.');
    await second.see('+Says it to everybody.');
    second.type('n\r');
    await second.see('Reason for the model');
    second.type('\r');
    await second.see('Done.');
    expect(calls()).toHaveLength(2);
  });

  test('ask what they want to know in the terminal, within the same call', async () => {
    const server = await McpTestServer.start();
    list(`  weather: { url: "${server.url}" }\n`);
    const question = script(call('weather_ask'), call('weather_ask'));
    const shown = openTerminal(question);
    await shown.see('[y] Allow once');
    shown.type('y\r');
    await shown.see('The server weather asks:');
    await shown.see('│ Where do you live?');
    shown.type('y\r');
    await shown.see('City:');
    shown.type('L\r');
    await shown.see('Enter at least 2 characters.');
    shown.type('Lima\r');
    await shown.see('│ City: Lima');
    shown.type('y\r');
    await shown.see('[y] Allow once');
    shown.type('y\r');
    await shown.see('The server weather asks:');
    shown.type('n\r');
    await shown.see('Done.');
    expect(await shown.end()).toBe(0);
    expect(results(question)).toEqual(['You said Lima.', 'You said nothing.']);
    expect(server.calls).toEqual(['ask Lima', 'ask nowhere']);
    await server.stop();
  });

  test('Ctrl-C at a question of a server stops the run, and the call', async () => {
    const server = await McpTestServer.start();
    list(`  weather: { url: "${server.url}" }\n`);
    const shown = openTerminal(script(call('weather_ask')));
    await shown.see('[y] Allow once');
    shown.type('y\r');
    await shown.see('The server weather asks:');
    shown.type('\u0003');
    expect(await shown.end()).toBe(130);
    expect(server.calls).toEqual([]);
    await server.stop();
  });

  test('are told that nobody can be asked where that is so, and the model, too', async () => {
    const server = await McpTestServer.start();
    list(`  weather: { url: "${server.url}" }\n`);
    const question = script(call('weather_ask'));
    expect(await run(question, ['--yes'])).toMatchObject({ code: 0 });
    expect(String(results(question)[0])).toContain('nobody to ask here');
    await server.stop();
  });

  test('are not allowed by what is in a folder, and servers in it are not started', async () => {
    list(house());
    const planted = `  planted: { command: "${process.execPath}", args: ["${PROGRAM}"] }\n`;
    for (const place of ['mcp.yaml', '.roundtrip/mcp.yaml', '.config/roundtrip/mcp.yaml'])
      list(planted, join(bench.folder, place));
    bench.write({ '.roundtrip/config.yaml': 'permissions:\n  execute: allow\n' });
    const question = script(call('house_echo', { text: 'x' }));
    expect((await run(question)).code).toBe(3);
    expect(toolsOf(question).filter((name) => name.startsWith('planted'))).toEqual([]);
    bench.write({ '.roundtrip/config.yaml': 'mcp: mcp.yaml\n' });
    expect((await run(script())).code).toBe(2);
    expect(calls()).toEqual([]);
  });

  test('of a list in the folder that is worked on are used only if it is named', async () => {
    const file = list(house(), join(bench.folder, 'config/roundtrip/mcp.yaml'));
    const inside = { ...env(), XDG_CONFIG_HOME: join(bench.folder, 'config') };
    const question = script();
    const { stderr } = await run(question, [], inside);
    expect(stderr).toContain('is in the folder, where tools could change it');
    expect(toolsOf(question)).not.toContain('house_echo');
    const named = script();
    await run(named, ['--mcp', file], inside);
    expect(toolsOf(named)).toContain('house_echo');
  });

  test('a program that is killed in the middle of a call is started again by the next one, and nothing runs twice', async () => {
    list(house());
    const question = script(call('house_die'), call('house_echo', { text: 'back' }));
    const { code } = await run(question, ['--yes']);
    expect(results(question)).toEqual([
      'Error (failed): The server’s program ended (signal SIGKILL). The call may have made changes; check before calling again.',
      'back',
    ]);
    expect(code).toBe(0);
    expect(calls()).toEqual(['die', 'echo back']);
  });

  test('a call that was under way when the command was killed is never run again', async () => {
    list(house());
    const question = script(call('house_hang', { text: 'once' }), call('house_echo', { text: 'on' }));
    const command = bench.start(['run', question, '--yes', '--session', 'killed'], { env: env() });
    await expect.poll(calls, { timeout: 15_000 }).toEqual(['hang once']);
    command.kill('SIGKILL');
    const again = await bench.run(['run', '--yes', '--session', 'killed'], { env: env() });
    expect(again.code).toBe(0);
    expect(results(question)).toEqual([expect.stringContaining('may have made changes'), 'on']);
    expect(calls()).toEqual(['hang once', 'echo on']);
  });

  test('a server that never answers does not keep the command from ending', async () => {
    list(`${house()}  mute: { command: "${process.execPath}", args: ["${PROGRAM}", mute] }\n`);
    const question = script(call('house_echo', { text: 'hi' }));
    const { code, stderr } = await run(question, ['--yes']);
    expect(code).toBe(0);
    expect(results(question)).toEqual(['hi']);
    expect(stderr).toContain('“mute” cannot be used');
  });

  test('programs end with the command', async () => {
    const mark = `mark-${randomInt(1_000_000_000)}`;
    list(house('', 'plain', mark));
    await run(script(call('house_leave', { seconds: `600.${mark.slice(5)}` })), ['--yes']);
    expect(calls()).toEqual(['leave']);
    const processes = () => spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).stdout;
    await expect.poll(processes).not.toContain(mark.slice(5));
  });

  test('a server that cannot be used is told of, without its secrets, and the others are used', async () => {
    list(
      `${house()}  dead: { command: "${process.execPath}", args: ["${PROGRAM}", dead], env: [TOKEN] }\n  gone: { command: no-such-program-0815 }\n  poor: { command: x, env: [NOT_SET_0815] }\n`,
    );
    const question = script(call('house_echo', { text: 'hi' }));
    const { code, stderr } = await run(question, ['--yes']);
    expect(code).toBe(0);
    expect(stderr).toContain(
      '“dead” cannot be used. The server’s program ended (exit code 3). Its last words: no token like [redacted]',
    );
    expect(stderr).toContain(
      '“gone” cannot be used. The server’s program, or the folder that it runs in, was not found.',
    );
    expect(stderr).toContain('“poor” is not used: NOT_SET_0815 must be set');
    expect(stderr).not.toContain(SECRET);
  });

  test('are not used by a command that is a tool server itself, which could start itself again and again', async () => {
    list(house());
    const question = script();
    await run(question, [], { ...env(), ROUNDTRIP_NESTED: '1' });
    expect(toolsOf(question)).not.toContain('house_echo');
  });

  test('a wrong list ends the command with its place', async () => {
    list('  house: { comand: x }\n');
    const { code, stderr } = await run(script());
    expect(code).toBe(2);
    expect(stderr).toContain('mcp.yaml:2: servers.house');
    expect((await run(script(), ['--mcp', 'no-such.yaml'])).stderr).toContain(
      '--mcp no-such.yaml: there is no such file',
    );
  });

  test('many tools are searched for instead of being listed', async () => {
    list(house('', 'many'));
    const question = script(
      call('search_tools', { query: 'echo' }),
      call('use_tool', { name: 'house_echo', arguments: { text: 'found' } }),
    );
    await run(question, ['--yes']);
    expect(toolsOf(question)).toEqual(expect.arrayContaining(['search_tools', 'use_tool', 'read_file']));
    expect(toolsOf(question)).not.toContain('house_echo');
    expect(results(question).at(-1)).toBe('found');
    const unasked = script(call('use_tool', { name: 'house_echo', arguments: { text: 'no' } }));
    expect((await run(unasked)).code).toBe(3);
    expect(calls()).toEqual(['echo found']);
  });
});

describe('tools of servers for other programs', () => {
  test('are served by roundtrip serve, and run if the person has allowed them', async () => {
    list(house(', allow: [echo]'));
    const lines = [
      { id: 1, method: 'list_tools' },
      { id: 2, method: 'call_tool', params: { name: 'house_echo', input: { text: 'hi' } } },
      { id: 3, method: 'call_tool', params: { name: 'house_cwd' } },
    ].map((request) => `${JSON.stringify(request)}\n`);
    const { stdout } = await bench.run(['serve', '--stdio'], { env: env(), input: lines.join('') });
    const answers = new Map(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map((answer) => [answer.id, answer.result]),
    );
    const tools: { name: string; toolset: string }[] = answers.get(1).tools;
    expect(tools.find(({ name }) => name === 'house_echo')).toMatchObject({ toolset: 'mcp-house', effect: 'execute' });
    expect(tools.map(({ name }) => name)).not.toContain('use_tool');
    expect(answers.get(2)).toMatchObject({ content: 'hi', is_error: false });
    expect(answers.get(3)).toMatchObject({ is_error: true, metadata: { code: 'denied' } });
    expect(calls()).toEqual(['echo hi']);
  });

  test('are allowed by a command, as they are described then', async () => {
    list(house());
    const serve = async (description?: string) => {
      const request = { id: 1, method: 'call_tool', params: { name: 'house_echo', input: { text: 'hi' } } };
      const input = `${JSON.stringify(request)}\n`;
      return (await bench.run(['serve', '--stdio'], { env: env(description), input })).stdout;
    };
    expect(await serve()).toContain('“roundtrip tools allow house_echo”');
    const allowed = await bench.run(['tools', 'allow', 'house_echo', '--yes'], { env: env() });
    expect([allowed.code, allowed.stderr]).toEqual([0, expect.stringContaining('Its server describes it as follows')]);
    expect(await serve()).toContain('"is_error":false');
    expect(await serve('Says it to everybody.')).toContain('differently than when it was allowed');
    const { stdout } = await bench.run(['tools'], { env: env('Says it to everybody.') });
    expect(stdout).toContain('house_echo (house, execute): asks, because it has changed since you allowed it');
    expect(calls()).toEqual(['echo hi']);
  });

  test('are served by roundtrip mcp', async () => {
    list(house(', allow: [echo]'));
    const client = new Client({ name: 'test', version: '1' });
    const command = { command: process.execPath, args: [join(ROOT, 'bin/roundtrip.js'), 'mcp'], cwd: bench.folder };
    await client.connect(
      new StdioClientTransport({ ...command, env: { ...bench.environment, ...env() } as Record<string, string> }),
    );
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'house_echo')?.annotations).toMatchObject({ openWorldHint: true });
    const echoed = await client.callTool({ name: 'house_echo', arguments: { text: 'hi' } });
    expect(echoed.content).toEqual([{ type: 'text', text: 'hi' }]);
    expect((await client.callTool({ name: 'house_cwd' })).isError).toBe(true);
    await client.close();
  });
});

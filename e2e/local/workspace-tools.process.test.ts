import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { CliBench, type Ended } from '../lib/cli-bench.ts';
import { Terminal } from '../lib/terminal.ts';
import { ToolClient } from '../lib/tool-client.ts';

const PATH = '.roundtrip/tools/count_words.js';
const COUNT = `export const spec = {
  description: 'Counts the words of a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  effect: 'read',
};
export async function run({ path }, { vfs }) {
  const text = await vfs.readFile(path);
  return { words: text.split(/\\s+/).filter(Boolean).length };
}
`;
const CALL = { name: 'count_words', arguments: '{"path":"/a.txt"}' };
/** A tool that runs this code, which may use \`input\` and \`vfs\`. */
const code = (body: string, spec = '') =>
  `export const spec = { description: 'Runs.', ${spec} };\nexport async function run(input, { vfs }) {\n${body}\n}\n`;

let bench: CliBench;
let terminal: Terminal | undefined;
let client: ToolClient | undefined;
beforeEach(async () => {
  bench = await CliBench.start();
  bench.write({ 'a.txt': 'one two three' });
});
afterEach(async () => {
  terminal?.kill();
  client?.child.kill('SIGKILL');
  await bench.stop();
});

type Call = typeof CALL;
let asked = 0;
/** Says something, which the model answers by calls: those of a list in one step. */
function script(...steps: (Call | Call[])[]): string {
  const question = `Question ${++asked}`;
  bench.model.script(question, [...steps.map((one) => ({ calls: [one].flat() })), { text: 'Done.' }]);
  return question;
}

const call = (name: string, input: object = {}): Call => ({ name, arguments: JSON.stringify(input) });

/** The names of the tools that the model had, in each step. */
const offered = (question: string): string[][] =>
  bench.model.requestsFor(question).map(({ tools = [] }) => tools.map((tool) => tool.function.name));

/** The results that the model got. */
const results = (question: string): string[] =>
  bench.model
    .requestsFor(question)
    .at(-1)
    ?.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content)) ?? [];

const run = (question: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Ended> =>
  bench.run(['run', question, ...args], { env });

const allow = (...names: string[]): Promise<Ended> => bench.run(['tools', 'allow', ...names, '--yes']);

function openTerminal(...args: string[]): Terminal {
  terminal = new Terminal([process.execPath, join(ROOT, 'bin/roundtrip.js'), ...args], {
    cwd: bench.folder,
    env: bench.environment,
    columns: 120,
  });
  return terminal;
}

function serve(): ToolClient {
  client = new ToolClient(bench.open(['serve', '--stdio']));
  return client;
}

describe('where nobody can be asked, a tool of the folder', () => {
  test('is left out with what to do, also with --yes, and offered once its content is allowed', async () => {
    bench.write({ [PATH]: COUNT, '.roundtrip/config.yaml': 'permissions: { write: allow, execute: allow }\n' });
    const first = script(CALL);
    const { stderr } = await run(first, ['--yes']);
    expect(offered(first)[0]).not.toContain('count_words');
    expect(results(first)).toEqual([expect.stringContaining('no-such-tool')]);
    expect(stderr).toContain(`The tool count_words is left out: you have not allowed it. Look at ${PATH}, then run`);
    const refused = await bench.run(['tools', 'allow', 'count_words']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Use --yes')]);
    expect((await allow('count_words')).stderr).toContain("description: 'Counts the words of a file.'");
    const second = script(CALL);
    expect(await run(second)).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(results(second)).toEqual(['{"words":3}']);
  });

  test('is left out again when anything in its file changes, until that is allowed, too', async () => {
    bench.write({ [PATH]: COUNT });
    await allow('count_words');
    bench.write({ [PATH]: COUNT.replace('filter(Boolean).', '') });
    const question = script(CALL);
    const { stderr } = await run(question, ['--yes']);
    expect(stderr).toContain('its file has changed since you allowed it');
    expect(results(question)).toEqual([expect.stringContaining('no-such-tool')]);
    const { stderr: shown } = await allow('count_words');
    expect(shown).toContain('-  return { words: text.split(/\\s+/).filter(Boolean).length };');
    expect((await run(script(CALL))).code).toBe(0);
  });

  test('is not allowed by anything in the folder', async () => {
    bench.write({ [PATH]: COUNT });
    await bench.run(['tools', 'allow', 'count_words', '--yes']);
    const kept = ['tools-of-folders.json', 'allowed-tools.json'];
    const state = join(bench.outside, 'state/roundtrip');
    const texts = kept.map((name) => [name, readFileSync(join(state, name), 'utf8')] as const);
    rmSync(state, { recursive: true });
    for (const [name, text] of texts)
      bench.write({ [`.roundtrip/${name}`]: text, [`state/roundtrip/${name}`]: text, [name]: text });
    const question = script();
    await run(question, ['--yes']);
    await run(question, ['--yes'], { XDG_STATE_HOME: join(bench.folder, 'state') });
    expect(offered(question).flat()).not.toContain('count_words');
  });

  test('asks when it has effects, unless it was allowed by the command that allows calls', async () => {
    bench.write({
      '.roundtrip/tools/act.js': code("return 'acted'"),
      '.roundtrip/config.yaml': 'permissions: { write: allow, execute: allow }\n',
    });
    await allow('act');
    const allowed = script(call('act'));
    expect((await run(allowed)).code).toBe(0);
    expect(results(allowed)).toEqual(['acted']);
    await bench.run(['tools', 'forget', 'act']);
    const { stdout } = await bench.run(['tools']);
    expect(stdout).toContain('act (this folder, execute): not offered: you have not allowed its file as it is');
  });
});

describe('in a terminal, a tool of the folder', () => {
  test('is asked about with all that is in its file, then with what has changed, each once', async () => {
    bench.write({ [PATH]: `// \u001b[2J\u200b\n${COUNT}` });
    const first = openTerminal('run', script(CALL));
    await first.see('May the model use count_words, a tool of this folder?');
    await first.see('says that it only reads');
    await first.see('// \\x1b[2J\\u{200b}');
    await first.see('return { words');
    first.type('y\r');
    await first.see('Done.');
    expect(await first.end()).toBe(0);
    const again = script(CALL);
    expect((await run(again)).code).toBe(0);
    expect(results(again)).toEqual(['{"words":3}']);
    bench.write({ [PATH]: COUNT });
    const second = openTerminal('run', script());
    await second.see('It has changed since you allowed it:');
    await second.see('-// \\x1b[2J\\u{200b}');
    second.type('what\r');
    await second.see('Answer with one of the letters.');
    second.type('n\r');
    await second.see('Done.');
    expect(await second.end()).toBe(0);
    const refused = script();
    expect((await run(refused)).stderr).toBe('');
    expect(offered(refused)[0]).not.toContain('count_words');
  });

  test('that the model writes or changes is asked about before it is used in the same turn', async () => {
    const written = code("return 'first'", "effect: 'read'");
    const changed = code("return 'second'", "effect: 'read'");
    const path = '/.roundtrip/tools/say.js';
    const question = script(
      call('write_file', { path, content: written }),
      call('say'),
      [call('edit_file', { path, find: 'first', replace: 'second' }), call('say')],
      call('say'),
    );
    const opened = openTerminal('run', question, '--yes');
    await opened.see('May the model use say, a tool of this folder?');
    opened.type('y\r');
    await opened.see('It has changed since you allowed it:');
    await opened.see("+return 'second'");
    opened.type('y\r');
    await opened.see('Done.');
    expect(await opened.end()).toBe(3);
    expect(offered(question).map((names) => names.includes('say'))).toEqual([false, true, true, true, true]);
    expect(results(question)).toEqual([
      expect.any(String),
      'first',
      expect.any(String),
      expect.stringContaining('is not as the user has allowed it'),
      'second',
    ]);
    expect(bench.read(path)).toBe(changed);
  });

  test('asks for each call with effects, until that is allowed for good; Ctrl-C at the question ends the turn', async () => {
    bench.write({ '.roundtrip/tools/act.js': code("return 'acted ' + input.how", "inputSchema: { type: 'object' }") });
    const stopped = openTerminal('run', script());
    await stopped.see('[n] Leave it out');
    stopped.type('\u0003');
    await stopped.see('Stopped.');
    expect(await stopped.end()).toBe(130);
    const question = script(call('act', { how: 'well' }));
    const opened = openTerminal('run', question);
    await opened.see('runs code, and each call asks');
    opened.type('y\r');
    await opened.see('Call act');
    await opened.see('how: well');
    await opened.see('[a] Always allow calls of act in this folder');
    opened.type('a\r');
    await opened.see('Done.');
    expect(await opened.end()).toBe(0);
    const again = script(call('act', { how: 'again' }));
    expect((await run(again)).code).toBe(0);
    expect([...results(question), ...results(again)]).toEqual(['acted well', 'acted again']);
  });

  test('is asked about in a conversation, and listed until then', async () => {
    bench.write({ [PATH]: COUNT });
    const question = script(CALL);
    const opened = openTerminal('repl');
    await opened.see('/help');
    opened.type('/tools\r');
    await opened.see('count_words: you are asked about it before the next answer.');
    opened.type(`${question}\r`);
    await opened.see('[y] Allow it as it is');
    opened.type('y\r');
    await opened.see('Done.');
    expect(results(question)).toEqual(['{"words":3}']);
    opened.type('/exit\r');
    expect(await opened.end()).toBe(0);
  });
});

describe('a tool of the folder runs', () => {
  const toolNamed = (name: string, text: string) => bench.write({ [`.roundtrip/tools/${name}.js`]: text });

  test('confined: no network, no programs, no other files, nothing of the process', async () => {
    toolNamed(
      'probe',
      code(`const tried = {};
for (const [name, attempt] of Object.entries({
  fetch: () => fetch('http://127.0.0.1:9/'),
  import: () => import('node:fs'),
  outside: () => vfs.readFile('/../../etc/passwd'),
  own: () => vfs.readFile('/.roundtrip/config.yaml'),
  process: () => process.env.HOME,
})) tried[name] = await Promise.resolve().then(attempt).then(() => 'worked', () => 'failed');
return tried;`),
    );
    bench.write({ '.roundtrip/config.yaml': '{}\n' });
    await allow('probe');
    const question = script(call('probe'));
    await run(question);
    expect(JSON.parse(results(question)[0] ?? '')).toEqual({
      fetch: 'failed',
      import: 'failed',
      outside: 'failed',
      own: 'failed',
      process: 'failed',
    });
  });

  test('with the permissions of the file tools, and what it writes is undone like anything else', async () => {
    toolNamed(
      'save',
      code("await vfs.writeFile('/b.txt', input.text); return 'saved'", "inputSchema: { type: 'object' }"),
    );
    toolNamed('peek', code("await vfs.writeFile('/b.txt', 'x')", "effect: 'read'"));
    await allow('save', 'peek');
    const denied = script(call('save', { text: 'hi' }), call('peek'));
    await run(denied);
    expect(results(denied)).toEqual([
      expect.stringContaining('write_file needs the user'),
      expect.stringContaining('says that it only reads'),
    ]);
    expect(bench.read('b.txt')).toBeUndefined();
    bench.write({ '.roundtrip/config.yaml': 'permissions: { write: allow }\n' });
    const saved = script(call('save', { text: 'hi' }));
    expect((await run(saved)).code).toBe(0);
    expect([results(saved), bench.read('b.txt')]).toEqual([['saved'], 'hi']);
    expect((await bench.run(['undo', '--yes'])).code).toBe(0);
    expect(bench.read('b.txt')).toBeUndefined();
  });

  test('or fails with what and where, and the turn goes on', async () => {
    toolNamed('broken', code('const nothing = null;\nnothing.x;'));
    toolNamed('endless', code('for (;;) {}', 'timeout: 1'));
    toolNamed('greedy', code("return 'x'.repeat(30_000)"));
    toolNamed('hungry', code('const all = [];\nfor (;;) all.push(new Array(1e6).fill(0.5));'));
    toolNamed('no_spec', 'export const run = () => 1;\n');
    toolNamed(
      'computed',
      'export const spec = { description: String(globalThis.ran = 1) };\nexport const run = () => 1;\n',
    );
    toolNamed('read_file', COUNT);
    toolNamed('long', `${COUNT}${' '.repeat(200_000)}`);
    toolNamed('count_words', COUNT);
    await allow('broken', 'endless', 'greedy', 'hungry', 'count_words');
    const question = script(
      ...[call('broken'), call('endless'), call('greedy'), call('hungry'), call('count_words'), CALL],
      call('read_file', { path: '/a.txt' }),
    );
    const { code: ended, stderr } = await run(question, ['--max-steps', '20']);
    expect(ended).toBe(0);
    const [broken, endless, greedy, hungry, invalid, counted, read] = results(question);
    expect(broken).toContain('TypeError: Cannot read properties of null');
    expect(broken).toContain('at /.roundtrip/tools/broken.js:4: nothing.x;');
    expect(endless).toMatch(/timed-out.*1 second/);
    expect(greedy).toContain('[Only the first 20000 characters of the result are shown.');
    expect(hungry).toContain('memory');
    expect(invalid).toContain('path');
    expect(counted).toBe('{"words":3}');
    expect(read).toContain('one two three');
    expect(stderr).toContain('.roundtrip/tools/no_spec.js is not offered. It has no spec.');
    expect(stderr).toContain('.roundtrip/tools/computed.js is not offered. Line 1: In spec: It has to be plain data');
    expect(stderr).toContain('.roundtrip/tools/read_file.js is not offered. Another tool has this name.');
    expect(stderr).toContain('.roundtrip/tools/long.js is not offered. The file has');
    const named = await allow('no_spec');
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('no_spec.js: It has no spec.')]);
    expect((await allow('nothing_such')).stderr).toContain('There are: ');
  });

  test('only where code can be confined, which is said', async () => {
    toolNamed('count_words', COUNT);
    await allow('count_words');
    const question = script();
    const { stderr } = await run(question, [], { PATH: join(bench.outside, 'nothing') });
    expect(stderr).toContain('The tools in .roundtrip/tools are not offered: code cannot be confined here.');
    expect(offered(question)[0]).not.toContain('count_words');
  });
});

describe('for other programs, tools of the folder', () => {
  const namesOf = async (server: ToolClient, id: number) => {
    const { result } = await server.request(id, 'list_tools');
    return ((result?.tools ?? []) as { name: string }[]).map(({ name }) => name);
  };

  test('come and go while roundtrip serve runs, and never run as nobody has allowed them', async () => {
    const server = serve();
    expect(await namesOf(server, 1)).not.toContain('count_words');
    bench.write({ [PATH]: COUNT });
    expect(await namesOf(server, 2)).not.toContain('count_words');
    expect((await server.call(3, 'count_words', { path: '/a.txt' })).result?.is_error).toBe(true);
    const changes = () => server.messages.filter(({ method }) => method === 'tools_changed').length;
    await allow('count_words');
    await vi.waitFor(() => expect(changes()).toBe(1), { timeout: 10_000 });
    expect(await namesOf(server, 4)).toContain('count_words');
    expect((await server.call(5, 'count_words', { path: '/a.txt' })).result?.content).toBe('{"words":3}');
    bench.write({ [PATH]: COUNT.replace('.filter(Boolean)', '') });
    expect((await server.call(6, 'count_words', { path: '/a.txt' })).result?.is_error).toBe(true);
    await vi.waitFor(() => expect(changes()).toBe(2), { timeout: 10_000 });
    expect(await namesOf(server, 7)).not.toContain('count_words');
    expect(await server.end()).toBe(0);
  });

  test('are served by roundtrip mcp', async () => {
    bench.write({ [PATH]: COUNT, '.roundtrip/tools/act.js': code("return 'acted'") });
    await allow('count_words');
    const mcp = new Client({ name: 'test', version: '1' });
    const command = { command: process.execPath, args: [join(ROOT, 'bin/roundtrip.js'), 'mcp'], cwd: bench.folder };
    await mcp.connect(
      new StdioClientTransport({ ...command, env: { ...bench.environment } as Record<string, string> }),
    );
    const { tools } = await mcp.listTools();
    expect(tools.find(({ name }) => name === 'count_words')?.annotations).toMatchObject({
      readOnlyHint: true,
      openWorldHint: false,
    });
    expect(tools.map(({ name }) => name)).not.toContain('act');
    const counted = await mcp.callTool({ name: 'count_words', arguments: { path: '/a.txt' } });
    expect(counted.content).toEqual([{ type: 'text', text: '{"words":3}' }]);
    const changed = vi.fn();
    mcp.setNotificationHandler('notifications/tools/list_changed', async () => changed());
    await allow('act');
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 10_000 });
    expect((await mcp.callTool({ name: 'act' })).content).toEqual([{ type: 'text', text: 'acted' }]);
    await mcp.close();
  });
});

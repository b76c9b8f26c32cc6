import { describe, expect, test } from 'vitest';
import { sourceOf, TOOL_SERVER, toolsetOf } from '#lib/tools/toolset-names.ts';
import { headerProblem, nameFor, readServerImport, SOURCE_NAME } from './server-config.ts';

const read = (servers: unknown, known: string[] = []) =>
  readServerImport(
    JSON.stringify({ mcpServers: servers }),
    known.map((name) => ({ name, url: `https://${name}.example/mcp` })),
  );

test('names are made of titles, and are unique', () => {
  expect(nameFor('GitHub (work)', new Set())).toBe('github-work');
  expect(nameFor('github', new Set(['github', 'github-2']))).toBe('github-3');
  expect(nameFor('工具', new Set())).toBe('server');
  expect(nameFor('__proto__', new Set())).toBe('proto');
  expect(nameFor('x'.repeat(100), new Set(['x'.repeat(20)]))).toMatch(SOURCE_NAME);
});

test('a toolset names its server', () => {
  expect(sourceOf(toolsetOf(TOOL_SERVER, 'github'))).toEqual({ kind: TOOL_SERVER, name: 'github' });
  for (const own of ['browser', 'tool-search', 'project']) expect(sourceOf(own), own).toBeUndefined();
});

test.each([
  ['authorization', 'Bearer x', undefined],
  ['X-Api-Key', 'x', undefined],
  ['no spaces', 'x', 'name'],
  ['cookie', 'x', 'own'],
  ['Mcp-Session-Id', 'x', 'own'],
  ['authorization', 'a\r\nhost: b', 'value'],
  ['authorization', '密钥', 'value'],
] as const)('the header %s: %s', (name, value, problem) => {
  expect(headerProblem(name, value)).toBe(problem);
});

describe('an import', () => {
  test('takes the servers with an address, with their headers', () => {
    expect(
      read({
        GitHub: { type: 'http', url: 'https://api.example.com/mcp/', headers: { Authorization: 'Bearer x' } },
        docs: { serverUrl: 'http://localhost:8000/mcp' },
      }),
    ).toEqual({
      servers: [
        { name: 'github', url: 'https://api.example.com/mcp/', headers: { Authorization: 'Bearer x' }, isOn: true },
        { name: 'docs', url: 'http://localhost:8000/mcp', headers: {}, isOn: true },
      ],
      skipped: [],
      ignored: [],
    });
  });

  test('reads the lists of other programs', () => {
    const servers = { one: { url: 'https://one.example/mcp' } };
    for (const text of [{ servers }, { mcp: { servers } }, { mcpServers: servers, other: 1 }])
      expect(readServerImport(JSON.stringify(text), []).servers).toHaveLength(1);
  });

  test('gives names that are not taken', () => {
    const { servers } = read({ 'My server': { url: 'https://a.example' }, 'my-server': { url: 'https://b.example' } }, [
      'my-server',
    ]);
    expect(servers.map(({ name }) => name)).toEqual(['my-server-2', 'my-server-3']);
  });

  test('says which keys mean nothing', () => {
    const servers = { a: { url: 'https://a.example', timeout: 3 } };
    const { ignored } = readServerImport(JSON.stringify({ mcpServers: servers, theme: 'dark' }), []);
    expect(ignored).toEqual(['theme', 'a.timeout']);
  });

  test('keeps servers off that are off there', () => {
    const url = 'https://a.example';
    const { servers } = read({
      a: { url },
      b: { url: `${url}/b`, disabled: true },
      c: { url: `${url}/c`, enabled: false },
    });
    expect(servers.map(({ isOn }) => isOn)).toEqual([true, false, false]);
  });

  test('does not add a server twice', () => {
    const { servers, skipped } = read(
      {
        'My server': { url: 'https://my-server.example/mcp' },
        a: { url: 'https://a.example' },
        b: { url: 'https://a.example' },
      },
      ['my-server'],
    );
    expect(servers.map(({ name }) => name)).toEqual(['a']);
    expect(skipped).toEqual([
      { name: 'My server', reason: 'known', detail: 'my-server' },
      { name: 'b', reason: 'known', detail: 'a' },
    ]);
  });

  test.each([
    [{ command: 'npx', args: ['server'] }, 'command', 'npx'],
    [{}, 'no-url', ''],
    [{ url: 'file:///etc/passwd' }, 'bad-url', 'file:///etc/passwd'],
    [{ url: 'http://a.example/mcp' }, 'bad-url', 'http://a.example/mcp'],
    [{ url: 'https://me:secret@a.example' }, 'bad-url', 'https://me:secret@a.example'],
    [{ url: 'https://a.example', type: 'sse' }, 'sse', 'sse'],
    [{ url: 'https://a.example', headers: { cookie: 'x' } }, 'bad-header', 'cookie'],
    [{ url: 'https://a.example', headers: { 'X-Key': 1 } }, 'bad-header', 'X-Key'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as other programs write it
    [{ url: 'https://a.example', headers: { 'X-Key': '${env:KEY}' } }, 'variable', '${env:KEY}'],
  ])('skips %j, and says why', (entry, reason, detail) => {
    expect(read({ one: entry })).toEqual({ servers: [], skipped: [{ name: 'one', reason, detail }], ignored: [] });
  });

  test.each([
    ['{', 'not-json'],
    ['[]', 'no-servers'],
    ['null', 'no-servers'],
    ['{"url":"https://a.example"}', 'no-servers'],
  ])('refuses %s', (text, code) => {
    expect(() => readServerImport(text, [])).toThrow(expect.objectContaining({ code }));
  });
});

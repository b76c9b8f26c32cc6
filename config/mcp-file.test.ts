import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from './errors.ts';
import { missingVariables, parseMcpFile, readMcpFile } from './mcp-file.ts';
import { faultsOf } from './test/faults.ts';

const parse = (source: string) => parseMcpFile(source, '/etc/studio/mcp.yaml');

/** The lines of the error for the file. */
const faults = (source: string) => faultsOf(() => parse(source));

describe('mcp.yaml', () => {
  test('lists programs, which run in the file’s folder, and addresses', () => {
    const source = `
servers:
  files: { command: npx, args: [-y, some-server], env: [SOME_TOKEN], title: Files }
  docs: { command: ./docs.js, cwd: docs }
  far: { url: "https://example.com/mcp", allow: [look], headers: { Authorization: FAR_KEY } }
`;
    expect(parse(source)).toEqual([
      {
        name: 'files',
        title: 'Files',
        allow: [],
        at: '/etc/studio/mcp.yaml:3',
        type: 'program',
        command: 'npx',
        args: ['-y', 'some-server'],
        env: ['SOME_TOKEN'],
        cwd: '/etc/studio',
      },
      {
        name: 'docs',
        title: undefined,
        allow: [],
        at: '/etc/studio/mcp.yaml:4',
        type: 'program',
        command: './docs.js',
        args: [],
        env: [],
        cwd: '/etc/studio/docs',
      },
      {
        name: 'far',
        title: undefined,
        allow: ['look'],
        at: '/etc/studio/mcp.yaml:5',
        type: 'address',
        url: 'https://example.com/mcp',
        headers: { Authorization: 'FAR_KEY' },
      },
    ]);
  });

  test.each(['', '# nothing yet\n', 'servers: {}\n'])('%j lists none', (source) => {
    expect(parse(source)).toEqual([]);
  });

  test('a missing file lists none; a folder in its place is an error', () => {
    const folder = mkdtempSync(join(tmpdir(), 'studio-mcp-'));
    expect(readMcpFile(join(folder, 'mcp.yaml'))).toEqual([]);
    expect(() => readMcpFile(folder)).toThrow(ConfigError);
    writeFileSync(join(folder, 'mcp.yaml'), 'servers:\n  a: { command: x }\n');
    expect(readMcpFile(join(folder, 'mcp.yaml'))).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });

  test('names the variables that are not set', () => {
    const [one, other] = parse(
      'servers:\n  a: { command: x, env: [A, B] }\n  b: { url: "https://x.test", headers: { X-Key: C } }\n',
    );
    if (one === undefined || other === undefined) throw new Error('not read');
    expect(missingVariables(one, { A: '1', B: '' })).toEqual(['B']);
    expect(missingVariables(other, {})).toEqual(['C']);
    expect(missingVariables(other, { C: '1' })).toEqual([]);
  });
});

describe('an error is reported with its line, field and reason', () => {
  test.each([
    ['bad YAML', 'servers:\n  a: { command: x\n', 'mcp.yaml:'],
    ['an unknown key', 'servers:\n  a: { command: x, comand: y }\n', 'mcp.yaml:2: servers.a: Unrecognized key'],
    ['an unknown key at the top', 'servers: {}\nserver: {}\n', 'mcp.yaml:2: Unrecognized key'],
    ['a bad name', 'servers:\n  My_Server: { command: x }\n', 'mcp.yaml:2: servers.My_Server: '],
    ['neither command nor url', 'servers:\n  a: { title: x }\n', 'mcp.yaml:2: servers.a: must have either'],
    ['both', 'servers:\n  a: { command: x, url: "https://x.test" }\n', 'mcp.yaml:2: servers.a: must have either'],
    [
      'headers of a program',
      'servers:\n  a:\n    command: x\n    headers: { A: B }\n',
      'mcp.yaml:4: servers.a.headers',
    ],
    [
      'arguments of an address',
      'servers:\n  a:\n    url: "https://x.test"\n    args: []\n',
      'mcp.yaml:4: servers.a.args',
    ],
    ['a number in the arguments', 'servers:\n  a: { command: x, args: [80] }\n', 'servers.a.args[0]: must be text'],
    ['an address in the open', 'servers:\n  a: { url: "http://x.test" }\n', 'mcp.yaml:2: servers.a.url: '],
    [
      'a header that is the connection’s',
      'servers:\n  a: { url: "https://x.test", headers: { Host: X } }\n',
      'headers.Host',
    ],
    ['an entry that is none', 'servers:\n  a: npx\n', 'mcp.yaml:2: servers.a: '],
    ['a list', 'servers:\n  - { command: x }\n', 'mcp.yaml:2: servers: '],
  ])('%s', (_, source, expected) => {
    const [first, ...others] = faults(source);
    expect(first).toContain(expected);
    expect(others).toEqual([]);
  });

  test.each([
    ['in a map', 'servers:\n  a: { command: x, env: { TOKEN: sk-abcdef0123 } }\n'],
    ['in the list', 'servers:\n  a: { command: x, env: [sk-abcdef0123] }\n'],
    ['as a header', 'servers:\n  a: { url: "https://x.test", headers: { X-Key: sk-abcdef0123 } }\n'],
  ])('[R18] a value in place of a variable’s name is not repeated: %s', (_, source) => {
    const [fault] = faults(source);
    expect(fault).toMatch(/name.* of an? ?environment variable|names of environment variables/);
    expect(fault).not.toContain('sk-abcdef');
  });
});

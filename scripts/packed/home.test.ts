import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { studioHome } from '#config/studio-home.ts';
import { fileVariables, prepareHome } from './home.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'home-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [{ HOME: '/home/ada' }, '/home/ada/.local/share/roundtrip-studio'],
  [{ HOME: '/home/ada', XDG_DATA_HOME: '/data' }, '/data/roundtrip-studio'],
  [{ HOME: '/home/ada', XDG_DATA_HOME: 'not/absolute' }, '/home/ada/.local/share/roundtrip-studio'],
  [{ HOME: '/home/ada', STUDIO_HOME: '/data' }, '/data'],
  [{ HOME: '/home/ada', STUDIO_HOME: 'here' }, '/work/here'],
  [{ HOME: '/home/ada', STUDIO_HOME: '' }, '/home/ada/.local/share/roundtrip-studio'],
])('with %o, the studio is at home in %s', (env, expected) => {
  expect(studioHome(env, '/work')).toBe(expected);
});

test.each([
  [{}, { MODELS_FILE: '/home/models.yaml', MCP_FILE: '/home/mcp.yaml', DATABASE_URL: 'sqlite:/home/checkpoints.db' }],
  [
    { MODELS_FILE: 'my.yaml', MCP_FILE: '/etc/mcp.yaml', DATABASE_URL: 'sqlite:c.db' },
    { MODELS_FILE: '/work/my.yaml', MCP_FILE: '/etc/mcp.yaml', DATABASE_URL: 'sqlite:/work/c.db' },
  ],
  [{ DATABASE_URL: 'memory:' }, { MODELS_FILE: '/home/models.yaml', MCP_FILE: '/home/mcp.yaml' }],
  [{ DATABASE_URL: 'postgres://db/studio' }, { MODELS_FILE: '/home/models.yaml', MCP_FILE: '/home/mcp.yaml' }],
])('the files of %o are found from where they are named', (env, expected) => {
  expect(fileVariables(env, '/home', '/work')).toEqual(expected);
});

describe('the studio’s folder', () => {
  test('is made, and knows the version that was there before', () => {
    const home = join(folder, 'a/b');
    expect(prepareHome(home, '1.2.3')).toBeUndefined();
    expect(prepareHome(home, '1.2.3')).toBe('1.2.3');
    expect(prepareHome(home, '1.10.0')).toBe('1.2.3');
    expect(readFileSync(join(home, 'version.txt'), 'utf8')).toBe('1.10.0\n');
  });

  test('is refused by an older version, and stays as it is', () => {
    prepareHome(folder, '1.10.0');
    expect(() => prepareHome(folder, '1.9.2')).toThrow(
      `${folder} was last used by version 1.10.0, and this is 1.9.2. Install 1.10.0 or later, or choose another folder with STUDIO_HOME.`,
    );
    expect(prepareHome(folder, '1.10.0')).toBe('1.10.0');
  });

  test('is used although nobody can say which version was there', () => {
    writeFileSync(join(folder, 'version.txt'), 'new');
    expect(prepareHome(folder, '1.2.3')).toBeUndefined();
  });

  test('that cannot be made is refused with what can be done', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => prepareHome(join(folder, 'file'), '1.2.3')).toThrow('or choose another folder with STUDIO_HOME.');
    if (process.getuid?.() === 0) return;
    chmodSync(folder, 0o500);
    expect(() => prepareHome(join(folder, 'new'), '1.2.3')).toThrow('Make ');
    chmodSync(folder, 0o700);
  });
});

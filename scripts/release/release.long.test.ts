import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BINARIES, ROOT, runNode } from '../lib/run.ts';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const PACKED = join(ROOT, `dist/release/roundtrip-studio-${version}.tgz`);

/** The folder of somebody who has the release, and not the repository. */
let home: string;
const installed = (path: string): string => join(home, 'node_modules/roundtrip-studio', path);

/** The size of the files in a folder, in bytes. */
const sizeOf = (folder: string): number =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

beforeAll(async () => {
  const { code, output } = await runNode('scripts/release.ts', ['--trial'], { output: 'pipe' });
  expect(output, output).toContain(`roundtrip-studio-${version}.tgz`);
  expect(code).toBe(0);
  home = mkdtempSync(join(tmpdir(), 'release-'));
  mkdirSync(join(home, 'data'));
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', home, PACKED], {
    cwd: home,
    stdio: 'pipe',
  });
}, 600_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the package', () => {
  test('is small, and needs no other one', () => {
    expect(statSync(PACKED).size).toBeLessThanOrEqual(40_000_000);
    expect(sizeOf(join(home, 'node_modules'))).toBeLessThanOrEqual(250_000_000);
    expect(globSync('node_modules/*', { cwd: home })).toEqual(['node_modules/roundtrip-studio']);
  });

  test('has no sources, source maps, tests, or native programs but those that confine commands', () => {
    const files = globSync('**/*', { cwd: installed('.') });
    // The build names the scripts of workers so, which are compiled.
    const own = files.filter((file) => !file.startsWith('server/dist/next/static/media/'));
    expect(own.filter((file) => /(?<!\.d)\.tsx?$|\.map$|\.test\./.test(file))).toEqual([]);
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([]);
    expect(files.filter((file) => /node_modules\/(?:sharp|typescript|esbuild|@next\/swc)/.test(file))).toEqual([]);
  });

  test('comes with its checksum, notes, and what it consists of', () => {
    const folder = join(ROOT, 'dist/release');
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
    const names = sums.map((line) => line.slice(66));
    expect(names).toEqual(['NOTES.md', `roundtrip-studio-${version}.cdx.json`, `roundtrip-studio-${version}.tgz`]);
    for (const [index, name] of names.entries())
      expect(
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ).toBe(sums[index]?.slice(0, 64));
    const { components } = JSON.parse(readFileSync(join(folder, names[1] ?? ''), 'utf8')) as {
      components: { name: string }[];
    };
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['next', 'react', 'pdfjs-dist']));
    expect(readFileSync(installed('THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('Universite catholique de Louvain');
  });
});

/** Runs a program as somebody without the repository and without a network. Returns what it printed. */
function runAlone(args: readonly string[], env: Record<string, string> = {}): string {
  const node = join(home, 'node');
  const variables = Object.entries({ PATH: `${home}:/usr/bin:/bin`, HOME: home, ...env });
  const confined = [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', ROOT, '--bind', home, home],
    ...['--ro-bind', process.execPath, node, '--unshare-net', '--unshare-pid', '--die-with-parent', '--clearenv'],
    ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', home, node, ...args],
  ];
  return execFileSync('bwrap', confined, { encoding: 'utf8', stdio: 'pipe' });
}

/** Starts the studio, loads the page and what it names, and ends the studio. Prints what it found as JSON. */
const VISIT = `
const { spawn } = require('node:child_process');
const startedAt = performance.now();
const studio = spawn(process.execPath, [process.argv[1]], { env: { ...process.env, PORT: '0' } });
let printed = '';
let isVisited = false;
studio.once('exit', (code) => process.exitCode ??= code);
studio.stderr.on('data', (data) => process.stderr.write(data));
studio.stdout.on('data', async (data) => {
  printed += data;
  const url = /http:\\S+/.exec(printed)?.[0];
  if (url === undefined || isVisited || !printed.includes('\\n')) return;
  isVisited = true;
  const ms = performance.now() - startedAt;
  const page = await (await fetch(url)).text();
  const named = [...page.matchAll(/(?:src|href)="(\\/[^"]+)"/g)].map(([, path]) => path);
  const paths = [...new Set([...named, '/workers/documents.js', '/workers/pdf/wasm/jbig2.wasm', '/api/models'])];
  const failed = [];
  for (const path of paths) if (!(await fetch(url + path)).ok) failed.push(path);
  const { models } = await (await fetch(url + '/api/models')).json();
  studio.once('exit', (code) => console.log(JSON.stringify({ ms, printed, failed, count: paths.length, models, code })));
  studio.kill();
});
`;

describe('without the repository and without a network', () => {
  test('the studio starts within five seconds, serves its page, and keeps its data in its folder', () => {
    const seen = JSON.parse(runAlone(['-e', VISIT, installed('bin/roundtrip-studio.js')]));
    expect(seen).toMatchObject({ failed: [], code: 0, models: [{ demo: true }] });
    expect(seen.count).toBeGreaterThan(8);
    expect(seen.printed).toContain('no models found, only the demo');
    expect(seen.ms).toBeLessThan(5_000);
    const data = join(home, '.local/share/roundtrip-studio');
    expect(globSync('*', { cwd: data })).toEqual(expect.arrayContaining(['checkpoints.db', 'version.txt']));
  });

  test('a version older than the data is refused, and an update is announced', () => {
    const file = join(home, 'data/version.txt');
    writeFileSync(file, '99.0.0\n');
    const env = { STUDIO_HOME: join(home, 'data') };
    expect(() => runAlone(['-e', VISIT, installed('bin/roundtrip-studio.js')], env)).toThrow(
      'was last used by version 99.0.0',
    );
    writeFileSync(file, '0.0.1\n');
    expect(runAlone(['-e', VISIT, installed('bin/roundtrip-studio.js')], env)).toContain(
      `Updated from 0.0.1 to ${version}.`,
    );
  });

  test('the command line has its version, and its tools read a folder', () => {
    expect(runAlone([installed('bin/roundtrip.js'), '--version'])).toBe(`${version}\n`);
    expect(runAlone([installed('bin/roundtrip.js'), '--help'])).toContain('Usage: roundtrip');
  });
});

test('the studio of the package passes tests of the studio', { timeout: 600_000 }, async () => {
  const suites = ['mcp-studio', 'preview', 'runs', 'scenarios', 'studio'].map((name) => `e2e/${name}.spec.ts`);
  const { code, output } = await runNode(BINARIES.playwright, ['test', ...suites], {
    env: { TESTED_RELEASE: installed('.'), LONG_SUITES: undefined },
    output: 'pipe',
  });
  expect(code, output).toBe(0);
});

import { cpSync, globSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { BINARIES, ROOT, runNode } from '../lib/run.ts';
import { bundlePrograms } from './bundle.ts';
import { licenseTexts } from './licenses.ts';

/** The folder of the build that a release ships. */
const BUILD = 'dist/next';

/** Files of the project that a release has, too. */
const FILES = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'models.example.yaml', 'mcp.example.yaml'];

/**
 * Parts of packages that a release does not need: tests, and the library that resizes images, which the studio does not ask
 * for, and which is there for one platform only.
 */
const UNUSED = /[\\/]node_modules[\\/](?:@img|sharp|(?:@[^\\/]+[\\/])?[^\\/]+[\\/](?:types[\\/])?tests?)$/;

/** Checks whether a file is of use in a release: source maps and the stamps of builds are not. */
const isServed = (path: string): boolean => !/\.(?:map|made-of)$/.test(path);

/** The fields of the project's `package.json` that a release keeps. */
const KEPT = ['name', 'version', 'description', 'license', 'type', 'engines'] as const;

/**
 * Fills a folder with the package of a release: the finished build of the studio, with the packages that its server loads, and
 * the bundled programs. It depends on no other package.
 */
export async function makePackage(folder: string): Promise<void> {
  await build();
  const server = join(folder, 'server');
  for (const part of ['server.js', 'node_modules', BUILD])
    cpSync(join(ROOT, BUILD, 'standalone', part), join(server, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => isServed(path) && !UNUSED.test(path),
    });
  replaceLinks(join(server, BUILD));
  // Next.js writes the server's script, as CommonJS.
  writeFileSync(join(server, 'package.json'), '{ "type": "commonjs" }\n');
  cpSync(join(ROOT, BUILD, 'static'), join(server, BUILD, 'static'), { recursive: true, filter: isServed });
  cpSync(join(ROOT, 'public'), join(server, 'public'), { recursive: true, filter: isServed });
  await bundlePrograms(folder);
  for (const file of FILES) cpSync(join(ROOT, file), join(folder, file));
  const project = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
  const kept = Object.fromEntries(KEPT.map((field) => [field, project[field]]));
  const bin = { 'roundtrip-studio': 'bin/roundtrip-studio.js', roundtrip: 'bin/roundtrip.js' };
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenseTexts());
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...kept, bin }, undefined, 2)}\n`);
}

async function build(): Promise<void> {
  const config = join(ROOT, 'tsconfig.json');
  const before = readFileSync(config);
  const { code, output } = await runNode(BINARIES.next, ['build'], {
    env: { PACKED_BUILD: BUILD },
    output: 'pipe',
    endsWithParent: true,
  });
  // Next.js adds the types of this build to it.
  writeFileSync(config, before);
  if (code !== 0) throw new Error(`The build failed.\n${output}`);
}

/**
 * Replaces the names that a build has for packages, such as `pg-587764f7`, by those of the packages: they are links, which npm
 * leaves out. `built`: the folder of the build.
 */
function replaceLinks(built: string): void {
  const folder = join(built, 'node_modules');
  const names = globSync(['*', '@*/*'], { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => {
      const link = join(entry.parentPath, entry.name);
      const target = resolve(entry.parentPath, readlinkSync(link));
      return [nameIn(folder, link), nameIn(join(built, '../../node_modules'), target)] as const;
    });
  const pattern = new RegExp(`(?<=["'\`/])(?:${names.map(([name]) => name).join('|')})(?=["'\`/])`, 'g');
  const packages = new Map(names);
  for (const file of globSync('server/**/*.js', { cwd: built })) {
    const path = join(built, file);
    const code = readFileSync(path, 'utf8');
    const changed = code.replace(pattern, (name) => packages.get(name) ?? name);
    if (changed !== code) writeFileSync(path, changed);
  }
  rmSync(folder, { recursive: true });
}

/** The name of the package in a folder of packages. */
const nameIn = (folder: string, path: string): string => relative(folder, path).split(sep).join('/');

// Makes a release from a clean tree: a package for npm, what it consists of, checksums, and the notes.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePublicFiles } from './lib/build.ts';
import { ROOT } from './lib/run.ts';
import { changesOf } from './release/changes.ts';
import { makePackage } from './release/package.ts';

/** Whether to make a release of a tree that is not ready for one, to see whether it works. */
const isTrial = process.argv.includes('--trial');

const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const changes = changesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), isTrial ? 'Unreleased' : version);
if (!isTrial) {
  const changed = git('status', '--porcelain');
  if (changed !== '')
    refuse(`A release is made of what is committed. Commit or discard these changes first:\n${changed}`);
  if (changes === undefined)
    refuse(`CHANGELOG.md has no section [${version}]. Name the changes of this version, and commit them first.`);
}
const out = join(ROOT, 'dist/release');
const folder = join(out, 'package');
rmSync(out, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await ensurePublicFiles();
await makePackage(folder);
const packed = `roundtrip-studio-${version}.tgz`;
// npm leaves out folders named node_modules, which the server needs. The time is the one that npm gives to files.
execFileSync(
  'tar',
  [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mtime=1985-10-26 08:15Z',
    '-I',
    'gzip -9n',
    '-cf',
    packed,
    'package',
  ],
  { cwd: out },
);
rmSync(folder, { recursive: true });
const sbom = execFileSync('npm', ['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx'], {
  cwd: ROOT,
  maxBuffer: 100_000_000,
});
writeFileSync(join(out, `roundtrip-studio-${version}.cdx.json`), sbom);
writeFileSync(join(out, 'NOTES.md'), changes ?? '');
const files = readdirSync(out).sort();
const sums = files.map(
  (file) =>
    `${createHash('sha256')
      .update(readFileSync(join(out, file)))
      .digest('hex')}  ${file}`,
);
writeFileSync(join(out, 'SHA256SUMS'), `${sums.join('\n')}\n`);
process.stdout.write(`${[...files, 'SHA256SUMS'].map((file) => `dist/release/${file}`).join('\n')}\n`);

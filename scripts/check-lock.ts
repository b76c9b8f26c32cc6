// npm silently drops optional platform packages that it cannot fetch. `npm ci` then fails elsewhere, or lacks the
// binaries of other systems. This checks that the lock contains every optional dependency that it names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.ts';

interface LockedPackage {
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const locked = new Map(Object.entries(lock.packages));

function isLocked(from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (locked.has(`${at === '' ? '' : `${at}/`}node_modules/${name}`)) return true;
    if (at === '') return false;
  }
}

const missing = [...locked].flatMap(([path, { optionalDependencies = {} }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !isLocked(path, name))
    .map(([name, version]) => `${path || '(this project)'} wants ${name}@${version}, which is missing from the lock`),
);
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
  string,
  Record<string, string> | undefined
>;
const loose = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
  Object.entries(manifest[kind] ?? {})
    .filter(([, version]) => /^[\^~]|[*x]/.test(version.replace(/^npm:.*@/, '')))
    .map(([name, version]) => `${name}: ${version} is not an exact version`),
);
const faults = [...missing, ...loose];
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);
process.stdout.write(`lock: ${locked.size} packages, all exact, all platform packages present\n`);

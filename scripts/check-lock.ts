// npm silently drops optional platform packages that it cannot fetch. `npm ci` then fails elsewhere, or lacks the
// binaries of other systems. This checks that the lock contains every optional dependency that it names.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.ts';

interface LockedPackage {
  optionalDependencies?: Record<string, string>;
}

/** The folders with a manifest and a lock. */
const FOLDERS = ['.', 'bench/peers'];

type Manifest = Record<string, Record<string, string> | undefined>;

const readJson = <T>(folder: string, name: string): T => JSON.parse(readFileSync(join(ROOT, folder, name), 'utf8'));

/** Returns the faults of the lock and the manifest of a folder. */
function faultsOf(folder: string, locked: ReadonlyMap<string, LockedPackage>): string[] {
  const isLocked = (from: string, name: string): boolean => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      if (locked.has(`${at === '' ? '' : `${at}/`}node_modules/${name}`)) return true;
      if (at === '') return false;
    }
  };
  const missing = [...locked].flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(path, name))
      .map(([name, version]) => `${path || folder} wants ${name}@${version}, which is missing from the lock`),
  );
  const manifest = readJson<Manifest>(folder, 'package.json');
  const loose = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {})
      .filter(([, version]) => /^[\^~]|[*x]/.test(version.replace(/^npm:.*@/, '')))
      .map(([name, version]) => `${name}: ${version} is not an exact version`),
  );
  return [...missing, ...loose];
}

let count = 0;
for (const folder of FOLDERS) {
  const { packages } = readJson<{ packages: Record<string, LockedPackage> }>(folder, 'package-lock.json');
  const locked = new Map(Object.entries(packages));
  count += locked.size;
  const faults = faultsOf(folder, locked);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
if (process.exitCode !== 1) process.stdout.write(`lock: ${count} packages, all exact, all platform packages present\n`);

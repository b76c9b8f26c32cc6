import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/run.ts';

/** A package in `package-lock.json`. */
interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
}

/**
 * Returns the licenses of all packages that a release may contain, as one text: those that are not only for development.
 * Packages with the same license text are listed together. Throws an error if a package names no license and has no text of one.
 */
export function licenseTexts(): string {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const byText = new Map<string, string[]>();
  for (const [path, { version, license, dev, devOptional, optional }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional || optional || !existsSync(join(ROOT, path))) continue;
    const texts = textsIn(join(ROOT, path));
    const name = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${version}`;
    if (texts.length === 0 && license === undefined) throw new Error(`${name} names no license.`);
    const text = texts.length === 0 ? `The package says: ${license}` : texts.join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), name]);
  }
  return [...byText].map(([text, names]) => `${[...new Set(names)].sort().join('\n')}\n\n${text.trim()}\n`).join(RULE);
}

const RULE = `\n${'-'.repeat(80)}\n\n`;

/** The texts of licenses and notices in a package, also of parts such as compiled libraries. */
function textsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile() && /^(licen[cs]e|notice|copying)/i.test(entry.name)) return [readFileSync(path, 'utf8').trim()];
    return entry.isDirectory() && ['wasm', 'vendor', 'licenses'].includes(entry.name) ? textsIn(path) : [];
  });
}

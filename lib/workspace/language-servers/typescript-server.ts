import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { LanguageServerConfig } from './language-server-config.ts';

/**
 * Returns the configuration of TypeScript's own language server, of the package `@typescript/native`. It checks TypeScript
 * and JavaScript.
 */
export function typescriptServer(): LanguageServerConfig {
  return {
    name: 'typescript',
    command: [...compilerCommand(), '--lsp', '--stdio'],
    // Otherwise, it runs npm, to install types for what JavaScript imports, outside of the folder.
    settings: { typescript: { disableAutomaticTypeAcquisition: true } },
    files: ['*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'],
  };
}

/** Checks whether TypeScript's own language server is installed: a release of the studio does not come with it. */
export function hasTypescriptServer(): boolean {
  try {
    manifestOf();
    return true;
  } catch {
    return false;
  }
}

const manifestOf = (): string => createRequire(import.meta.url).resolve('@typescript/native/package.json');

/** The native executable for this platform, as the package's `bin/tsc` resolves it. */
function compilerCommand(): string[] {
  const manifest = manifestOf();
  const platform = `@typescript/typescript-${process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(manifest).resolve(`${platform}/package.json`));
    return [join(folder, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc')];
  } catch {
    // Without the platform's package, the script ends with a message that says what is missing.
    return [process.execPath, join(dirname(manifest), 'bin/tsc')];
  }
}

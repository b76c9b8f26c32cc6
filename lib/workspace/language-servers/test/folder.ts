import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import type { DiagnosticsReport } from '#lib/tools/capabilities/diagnostics.ts';
import { DiskStorage } from '#lib/vfs/disk/disk-storage.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import type { LanguageServerConfig } from '../language-server-config.ts';
import { LanguageServers } from '../language-servers.ts';

const FAKE_SERVER = fileURLToPath(new URL('./fake-server.ts', import.meta.url));

/** The scripted server, for files that end in `.fake`. */
export const fakeServer = (...args: readonly string[]): LanguageServerConfig => ({
  name: 'fake',
  command: [process.execPath, FAKE_SERVER, ...args],
  files: ['*.fake'],
});

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A directory that is deleted after the test. */
export async function newFolder(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'language servers ü-')));
  cleanups.push(() => rm(root, { recursive: true, force: true }));
  return root;
}

/** Writes files, as another program would. */
export async function writeFiles(root: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** A directory with files, and the checks of it by servers, which are closed after the test. */
export async function openFolder(
  files: Record<string, string>,
  servers: readonly LanguageServerConfig[],
  timeoutMs = 10_000,
) {
  const root = await newFolder();
  await writeFiles(root, files);
  const checker = new LanguageServers({
    root,
    files: new TreeFileSystem(await DiskStorage.open(root)),
    servers,
    timeoutMs,
  });
  cleanups.push(() => checker.close());
  return {
    root,
    checker,
    check: (path = '/', abortSignal = new AbortController().signal): Promise<DiagnosticsReport> =>
      checker.check(path, { abortSignal }),
    write: (files: Record<string, string>) => writeFiles(root, files),
  };
}

/** Problems as the tool shows them. */
export const lines = ({ diagnostics }: DiagnosticsReport): string[] =>
  diagnostics.map(({ path, line, column, severity, message, source }) =>
    [`${path}:${line}:${column}`, severity, message, `(${source})`].join(' '),
  );

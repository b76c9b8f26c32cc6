import { createRequire } from 'node:module';
import { DiskStorage } from '#lib/vfs/disk/disk-storage.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { LanguageServers } from '../language-servers.ts';
import { typescriptServer } from '../typescript-server.ts';

/** A program that checks the directory in its argument once. It ends by itself when nothing is left to do. */
const { cache } = createRequire(import.meta.url);
const isLoaded = () => Object.keys(cache).some((file) => file.includes('vscode-jsonrpc'));

const isLoadedBefore = isLoaded();
const root = process.argv[2] ?? '';
const files = new TreeFileSystem(await DiskStorage.open(root));
const checker = new LanguageServers({ root, files, servers: [typescriptServer()], timeoutMs: 8_000 });
const { diagnostics } = await checker.check('/', { abortSignal: new AbortController().signal });
await checker.close();
process.stdout.write(JSON.stringify({ problems: diagnostics.length, isLoadedBefore, isLoadedAfter: isLoaded() }));

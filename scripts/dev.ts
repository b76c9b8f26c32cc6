// Serves the studio during development: on loopback, with live reload.
import { copyAboutFiles } from './lib/about-files.ts';
import { bindAddress, readConfigOrExit } from './lib/config.ts';
import { ensurePreviewFiles } from './lib/preview-files.ts';
import { BINARIES, startNode } from './lib/run.ts';
import { ensureWorkerFiles } from './lib/worker-files.ts';

const env = readConfigOrExit();
copyAboutFiles();
await ensurePreviewFiles();
await ensureWorkerFiles();
const child = startNode(BINARIES.next, ['dev', '-H', bindAddress(env.HOST), '-p', String(env.PORT)]);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 0));

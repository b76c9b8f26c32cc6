// Runs tests in a page: all, or those whose file names contain one of the arguments.
import { ensurePublicFiles } from './lib/build.ts';
import { BINARIES, runNode } from './lib/run.ts';

await ensurePublicFiles();
const args = ['run', '--config', 'vitest.browser.config.ts', ...process.argv.slice(2)];
process.exit((await runNode(BINARIES.vitest, args)).code);

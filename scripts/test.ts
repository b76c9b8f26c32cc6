// Everything that CI runs: the checks, here and in a copy with additions, the tests with processes of their own, the
// production build, the benchmarks in their short form, and the suites in a real browser.
import { ensureBuild } from './lib/build.ts';
import { BINARIES, runNode } from './lib/run.ts';

const browser = await runNode('scripts/ensure-browser.ts', []);
if (browser.code !== 0) process.exit(browser.code);
const check = await runNode('scripts/check.ts', []);
if (check.code !== 0) process.exit(check.code);
const additions = await runNode('scripts/additions.ts', []);
if (additions.code !== 0) process.exit(additions.code);
const inBrowser = await runNode(BINARIES.vitest, ['run', '--config', 'vitest.browser.config.ts']);
if (inBrowser.code !== 0) process.exit(inBrowser.code);
const processes = await runNode(BINARIES.vitest, ['run', '--config', 'vitest.process.config.ts']);
if (processes.code !== 0) process.exit(processes.code);
await ensureBuild();
const benches = await runNode('scripts/bench.ts', ['all', '--short']);
if (benches.code !== 0) process.exit(benches.code);
const suites = await runNode(BINARIES.playwright, ['test', ...process.argv.slice(2)]);
process.exit(suites.code);

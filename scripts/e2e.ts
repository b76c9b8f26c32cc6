// The suites in a real browser, on the production build. Arguments are passed to Playwright.
import { ensureBuild } from './lib/build.ts';
import { BINARIES, runNode } from './lib/run.ts';

await ensureBuild();
process.exit((await runNode(BINARIES.playwright, ['test', ...process.argv.slice(2)])).code);

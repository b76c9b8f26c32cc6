// Compares views of the production build with stored ones. Arguments are passed to Playwright; `--update-snapshots`
// stores the views as they are now.
import { join } from 'node:path';
import { findDesktopBrowser } from './lib/browser.ts';
import { ensureBuild } from './lib/build.ts';
import { BINARIES, ROOT, runNode } from './lib/run.ts';

await ensureBuild();
const config = join(ROOT, 'e2e', 'views', 'views.config.ts');
const env = { PLAYWRIGHT_CHROMIUM: process.env.PLAYWRIGHT_CHROMIUM ?? findDesktopBrowser() };
process.exit(
  (await runNode(BINARIES.playwright, ['test', '--config', config, ...process.argv.slice(2)], { env })).code,
);

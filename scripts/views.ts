// Compares views of the production build with stored ones. Arguments are passed to Playwright; `--update-snapshots`
// stores the views as they are now.
import { join } from 'node:path';
import { ensureBuild } from './lib/build.ts';
import { BINARIES, ROOT, runNode } from './lib/run.ts';

await ensureBuild();
const config = join(ROOT, 'e2e', 'views', 'views.config.ts');
process.exit((await runNode(BINARIES.playwright, ['test', '--config', config, ...process.argv.slice(2)])).code);

// Creates the production build, including the files that previews load, unless it is up to date.
import { ensureBuild } from './lib/build.ts';

await ensureBuild();

// Builds the production build, with what previews load, unless it is there already.
import { ensureBuild } from './lib/build.ts';

await ensureBuild();

// Starts the studio: checks the configuration, builds if the sources have changed, serves, and prints the URL.

import { surviveBrokenOutput } from '#lib/base/processes/broken-output.ts';
import { ensureBuild } from './lib/build.ts';
import { checkSharedOrExit, readConfigOrExit } from './lib/config.ts';
import { serveStudio } from './lib/serve-studio.ts';

surviveBrokenOutput();
const env = readConfigOrExit();
await checkSharedOrExit(env);
await ensureBuild();
await serveStudio(env);

// Starts an installed studio. A release has it as a bundle, beside the finished build.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '#config/errors.ts';
import { studioHome } from '#config/studio-home.ts';
import { surviveBrokenOutput } from '#lib/base/processes/broken-output.ts';
import { checkSharedOrExit, exitWith, readConfigOrExit } from '../lib/config.ts';
import { ROOT } from '../lib/run.ts';
import { serveStudio } from '../lib/serve-studio.ts';
import { fileVariables, prepareHome } from './home.ts';

const USAGE = `Usage: roundtrip-studio [--help | --version]

Starts the studio, and prints its address. Environment variables configure it, such as PORT, HOST, and the keys of models.
It keeps its data in the folder that STUDIO_HOME names, and looks for models.yaml and mcp.yaml there.
`;

surviveBrokenOutput();
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const [argument] = process.argv.slice(2);
if (argument === '--version') process.stdout.write(`${version}\n`);
else if (argument === '--help') process.stdout.write(USAGE);
else if (argument !== undefined) {
  process.stderr.write(`There is no option ${argument}.\n\n${USAGE}`);
  process.exit(2);
} else await start();

async function start(): Promise<void> {
  const home = studioHome(process.env, process.cwd());
  let before: string | undefined;
  try {
    before = prepareHome(home, version);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    exitWith(error);
  }
  Object.assign(process.env, fileVariables(process.env, home, process.cwd()));
  const env = readConfigOrExit();
  await checkSharedOrExit(env);
  await serveStudio(env, { script: 'server/server.js' });
  if (before !== undefined && before !== version)
    process.stdout.write(`Updated from ${before} to ${version}. “Settings › About” has the changes.\n`);
}

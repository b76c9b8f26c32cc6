import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { BINARIES, ROOT, runNode } from '#scripts/lib/run.ts';
import { type StudioServer, startServer } from '#scripts/lib/server.ts';

/** The folder in which the app is built: a build writes more into it than what belongs to the sources. */
const FOLDER = '.cache/plain-app';

/** Builds and starts an app of Next.js with nothing but the chat route of the AI SDK's documentation. */
export async function startPlainApp(modelUrl: string): Promise<StudioServer> {
  cpSync(join(ROOT, 'bench/loop/plain-app'), join(ROOT, FOLDER), { recursive: true });
  const { code, output } = await runNode(BINARIES.next, ['build', FOLDER], { output: 'pipe' });
  if (code !== 0) throw new Error(`The plain app could not be built.\n${output}`);
  return startServer({ app: FOLDER, env: { MODEL_URL: modelUrl } });
}

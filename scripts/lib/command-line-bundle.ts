import { findBundle } from '#bin/entry-point.mjs';
import { ROOT, runNode } from './run.ts';

/** Bundles the command line, unless its bundle was made from the present sources. */
export async function ensureCommandLineBundle(): Promise<void> {
  if (findBundle(ROOT) !== undefined) return;
  const { code, output } = await runNode('scripts/bundle-command-line.ts', [], {
    output: 'pipe',
    endsWithParent: true,
  });
  if (code !== 0) throw new Error(`The command line could not be bundled.\n${output}`);
}

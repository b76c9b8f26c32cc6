import { ROOT, runNode } from '#scripts/lib/run.ts';
import type { Comparison, Figures } from './comparison.ts';
import type { OtherCommit } from './other-commit.ts';

/** An engine compiles the same code better or worse from process to process, so each round has one for each side. */
const ROUNDS = 15;

/** Compares how long the parser takes. */
export async function compare({ folder }: OtherCommit, comparison: Comparison): Promise<void> {
  const folders = { before: folder, here: ROOT };
  await comparison.rounds({ count: ROUNDS }, async (side): Promise<Figures> => {
    const { code, output } = await runNode('bench/against/parser/side.ts', [folders[side]], {
      output: 'pipe',
    });
    if (code !== 0) throw new Error(`The parser of ${side} could not be timed:\n${output}`);
    return JSON.parse(output);
  });
}

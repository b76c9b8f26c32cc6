import { join } from 'node:path';
import type { createProtocolParser } from '#lib/prompts/parser.ts';
import { ROOT } from '#scripts/lib/run.ts';
import { ADVERSARIES, CALLS, prose, timeParser } from '../parser/inputs.ts';
import type { Comparison } from './comparison.ts';
import type { OtherCommit } from './other-commit.ts';

/** Short rounds, and many: what interrupts one of them does not count. */
const ROUNDS = { count: 61, warmUp: 10 };
const PROSE = 200_000;
const FILE = 4_000;

type Create = typeof createProtocolParser;

const REPLIES: Readonly<Record<string, readonly string[]>> = {
  'prose, in pieces of 4, ms': [prose(PROSE)],
  'a file in every format, ms': Object.values(CALLS).map((make) => make(FILE)),
  'replies that are slow to parse, ms': Object.values(ADVERSARIES).map((make) => make(FILE)),
};

/** Compares how long the parser takes. */
export async function compare({ folder }: OtherCommit, comparison: Comparison): Promise<void> {
  const load = async (root: string): Promise<Create> =>
    (await import(join(root, 'lib/prompts/parser.ts'))).createProtocolParser;
  const creates = { before: await load(folder), here: await load(ROOT) };
  for (const [figure, replies] of Object.entries(REPLIES))
    await comparison.rounds(ROUNDS, async (side) => ({
      [figure]: replies.reduce((sum, reply) => sum + timeParser(creates[side], reply), 0),
    }));
}

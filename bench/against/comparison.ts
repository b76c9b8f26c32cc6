import { median } from '../lib/median.ts';

/** The maximum ratio of a figure here to that at the other commit. */
const RATIO_MAX = 1.15;

export type Side = 'before' | 'here';

/** The measurements of one round, by the name of the figure. */
export type Figures = Readonly<Record<string, number>>;

interface Pair {
  before: number;
  here: number;
}

/**
 * Figures of two commits. In each round both are measured, one right after the other, and what counts is the median of
 * the rounds' ratios: whatever else the machine does in a round meets both.
 */
export class Comparison {
  readonly #pairs = new Map<string, Pair[]>();

  /** Measures both sides in turn, each first in every other round. What the rounds to warm up measure does not count. */
  async rounds(
    { count, warmUp = 0 }: { count: number; warmUp?: number },
    measure: (side: Side, round: number) => Promise<Figures>,
  ): Promise<void> {
    for (let round = 0; round < warmUp + count; round++) {
      const pair = await inTurn(round, (side) => measure(side, round));
      if (round >= warmUp) this.add(pair);
    }
  }

  /** Adds what both sides have measured in a round. */
  add({ before, here }: Record<Side, Figures>): void {
    for (const [figure, value] of Object.entries(here)) {
      const pairs = this.#pairs.get(figure) ?? [];
      this.#pairs.set(figure, [...pairs, { before: before[figure] ?? Number.NaN, here: value }]);
    }
  }

  /** Prints all figures. Returns whether each ratio is within the limit. */
  report(commit: string): boolean {
    let isMet = true;
    console.log(
      `Compared with ${commit.slice(0, 10)}, round by round; medians, the median ratio (at most ${RATIO_MAX}), and its 95 % interval`,
    );
    for (const [name, pairs] of this.#pairs) {
      const ratios = pairs.map(({ before, here }) => here / before);
      const ratio = median(ratios);
      // A figure that could not be measured is no reason to pass.
      const isFigureMet = ratio <= RATIO_MAX;
      isMet &&= isFigureMet;
      const format = (side: Side) =>
        median(pairs.map((pair) => pair[side]))
          .toFixed(2)
          .padStart(9);
      console.log(
        `  ${name.padEnd(50)} before ${format('before')}  here ${format('here')}  ratio ${ratio.toFixed(2)} (${intervalOf(ratios)}, ${pairs.length} rounds)${isFigureMet ? '' : '  MISSED'}`,
      );
    }
    return isMet;
  }
}

/**
 * The interval in which the median lies with at least 95 %: between two of the values, by how many of them can be expected on
 * either side of it.
 */
export function intervalOf(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  let below = 0;
  // The share of cases in which at most so many values are below the median.
  for (let share = 0, term = 0.5 ** sorted.length; ; below++) {
    share += term;
    if (share > 0.025) break;
    term *= (sorted.length - below) / (below + 1);
  }
  const at = Math.max(0, below - 1);
  const [from, to] = [sorted[at], sorted.at(-1 - at)];
  return below === 0 || from === undefined || to === undefined ? 'too few' : `${from.toFixed(2)}–${to.toFixed(2)}`;
}

/** Measures both sides, one right after the other; which comes first depends on the round. */
export async function inTurn(round: number, measure: (side: Side) => Promise<Figures>): Promise<Record<Side, Figures>> {
  if (round % 2 === 0) {
    const before = await measure('before');
    return { before, here: await measure('here') };
  }
  const here = await measure('here');
  return { before: await measure('before'), here };
}

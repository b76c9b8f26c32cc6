// Times the parser of one commit, and writes its figures as JSON: side.ts <folder>
import { join } from 'node:path';
import { median } from '../../lib/median.ts';
import { ADVERSARIES, CALLS, prose, timeParser } from '../../parser/inputs.ts';

const ROUNDS = { count: 21, warmUp: 10 };
const PROSE = 1_000_000;
const FILE = 4_000;

const REPLIES: Readonly<Record<string, readonly string[]>> = {
  'prose, in pieces of 4, ms': [prose(PROSE)],
  'a file in every format, ms': Object.values(CALLS).map((make) => make(FILE)),
  'replies that are slow to parse, ms': Object.values(ADVERSARIES).map((make) => make(FILE)),
};

const [folder = ''] = process.argv.slice(2);
const { createProtocolParser } = await import(join(folder, 'lib/prompts/parser.ts'));
const figures = Object.entries(REPLIES).map(([figure, replies]) => {
  const times = Array.from({ length: ROUNDS.warmUp + ROUNDS.count }, () =>
    replies.reduce((sum, reply) => sum + timeParser(createProtocolParser, reply), 0),
  );
  return [figure, median(times.slice(ROUNDS.warmUp))];
});
process.stdout.write(JSON.stringify(Object.fromEntries(figures)));

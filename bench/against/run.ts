// Compares a benchmark's figures here with those of another commit, in turn: run.ts <benchmark> <commit>. Fails if one is
// larger by more than the limit.
import { Comparison } from './comparison.ts';
import * as loop from './loop.ts';
import { prepareCommit } from './other-commit.ts';
import * as parser from './parser.ts';
import * as thread from './thread.ts';
import * as vfs from './vfs.ts';

const COMPARED = {
  loop: { ...loop, isBuilt: true },
  parser: { ...parser, isBuilt: false },
  thread: { ...thread, isBuilt: true },
  vfs: { ...vfs, isBuilt: false },
};

const [name = '', commit = ''] = process.argv.slice(2);
if (!Object.hasOwn(COMPARED, name) || commit === '') {
  process.stderr.write(`Name one of these benchmarks, and a commit: ${Object.keys(COMPARED).join(', ')}.\n`);
  process.exit(2);
}
const { compare, isBuilt } = COMPARED[name as keyof typeof COMPARED];
const comparison = new Comparison();
const other = prepareCommit(commit, { isBuilt });
await compare(other, comparison);
process.exit(comparison.report(other.commit) ? 0 : 1);

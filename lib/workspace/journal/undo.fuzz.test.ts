import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DiskStorage } from '#lib/vfs/disk/disk-storage.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { isWithin, joinPath } from '#lib/vfs/paths.ts';
import { bytesOf, CALL } from '#lib/vfs/test/contract.ts';
import { random as randomOf } from '#lib/vfs/test/random.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { Journal } from './journal.ts';
import { planUndo, UndoError, undoTurn } from './undo.ts';

/** `FUZZ_SEEDS=2000 npm run unit -- lib/workspace/journal/undo.fuzz.test.ts` tries that many seeds. */
const SEEDS = Array.from({ length: Number(process.env.FUZZ_SEEDS ?? 60) }, (_, index) => index + 1);

const NAMES = ['a', 'b', 'data', 'out', 'node_modules', '日本'];
const RULES = ['data/', 'out/', '/a/', 'b', 'node_modules', '*', '!data/', ''];

/** The number of seeds for which undo did not cover everything. */
let uncoveredIn = 0;

/** Reads everything in a folder, byte for byte, except for the journal's own files. */
function everythingIn(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    for (const name of readdirSync(join(root, path)).sort()) {
      const below = joinPath(path, name);
      if (below === '/.roundtrip') continue;
      const place = join(root, below);
      const stat = lstatSync(place);
      const mode = (stat.mode & 0o777).toString(8);
      if (stat.isSymbolicLink()) found.set(below, `link ${readlinkSync(place)}`);
      else if (stat.isDirectory()) {
        found.set(below, `directory ${mode}`);
        visit(below);
      } else found.set(below, `file ${mode} ${readFileSync(place, 'latin1')}`);
    }
  };
  visit('/');
  return found;
}

describe('a turn of whatever writes, moves, links, ignores, and commands', () => {
  test.each(SEEDS)('is undone byte for byte, but for what undo names (seed %i)', async (seed) => {
    const next = randomOf(seed);
    /** A number from 0 to below `count`. */
    const random = (count: number): number => Math.floor(next() * count);
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
    const path = (): string => `/${Array.from({ length: 1 + random(3) }, () => pick(NAMES)).join('/')}`;
    const root = mkdtempSync(join(tmpdir(), 'undo-fuzz-'));
    mkdirSync(join(root, '.roundtrip'));
    const journal = new Journal(join(root, '.roundtrip/journal'), root);
    const storage = await DiskStorage.open(root, {
      accessOf: (one) => (isWithin(one, '/.roundtrip') ? 'hidden' : 'open'),
      recorder: journal,
    });
    const files = new TreeFileSystem(storage);
    const folder = { root, storage, files };

    const onDisk = async (): Promise<void> => {
      const at = join(root, path());
      const ignore = join(root, random(2) === 0 ? '' : dirname(path()), '.gitignore');
      const work = [
        () => mkdir(dirname(at), { recursive: true }).then(() => writeFile(at, `disk ${random(1_000)}`)),
        () => mkdir(at, { recursive: true }),
        () => rm(at, { recursive: true }),
        () => rename(at, join(root, path())),
        () => symlink(pick(['a', '../b', '/etc/hostname', 'nowhere']), at),
        () => chmod(at, pick([0o755, 0o644, 0o700])),
        () => writeFile(ignore, `${pick(RULES)}\n${pick(RULES)}\n`),
      ];
      // Everything else is an error of the system.
      await pick(work)().catch(() => undefined);
    };
    const byTool = async (): Promise<void> => {
      const [at, to] = [path(), path()];
      await files
        .transaction(CALL, async (tx) => {
          const kind = random(6);
          if (kind === 0) tx.writeFile(at, bytesOf(`tool ${random(1_000)}`));
          else if (kind === 1) tx.mkdir(at);
          else if (kind === 2) tx.rm(at, { recursive: true });
          else if (kind === 3) tx.rename(at, to);
          else if (kind === 4) tx.symlink('a', at);
          else tx.writeFile('/.gitignore', bytesOf(`${pick(RULES)}\n`));
        })
        .catch((error: unknown) => {
          if (!(error instanceof FileSystemError)) throw error;
        });
    };
    const command = () =>
      journal.command(folder, 'call', async () => {
        for (let left = 1 + random(5); left > 0; left--) await onDisk();
      });

    for (let left = 15; left > 0; left--) await onDisk();
    await storage.refresh();
    const before = everythingIn(root);
    journal.beginTurn('turn', 'Do it');
    for (let left = 1 + random(6); left > 0; left--) await (random(2) === 0 ? byTool() : command());

    const plan = await planUndo(journal, folder).catch((error: unknown) => {
      if (error instanceof UndoError && error.reason === 'none') return undefined;
      throw error;
    });
    const named = journal.turns().flatMap(({ actions }) => actions.flatMap((action) => action.uncovered ?? []));
    const uncovered = plan?.uncovered ?? named;
    const inTheWay = plan?.obstacle?.paths ?? [];
    if (plan !== undefined) {
      // An ignored folder may be in the place of a file, for example.
      expect(inTheWay.filter((one) => !uncovered.some((place) => isWithin(one, place)))).toEqual([]);
      const refused = await undoTurn(journal, folder, { isPartial: true }).catch((error: unknown) => error);
      // So that nothing at all is undone, it must be named, too.
      if (refused instanceof Error) {
        expect(refused).toBeInstanceOf(UndoError);
        for (const one of (refused as UndoError).paths)
          expect([...uncovered, ...inTheWay].some((place) => isWithin(one, place) || isWithin(place, one))).toBe(true);
        return;
      }
    }
    // A folder that contains something in the way counts as in the way, too.
    const isCovered = ([one]: readonly [string, string]) =>
      !uncovered.some((place) => isWithin(one, place)) && !inTheWay.some((place) => isWithin(place, one));
    if (uncovered.length > 0) uncoveredIn++;
    const after = everythingIn(root);
    // A folder stays if something that is not covered is in it.
    const isExtra = (one: string) => !before.has(one) && uncovered.some((place) => isWithin(place, one));
    expect([...after].filter(isCovered).filter(([one]) => !isExtra(one))).toEqual([...before].filter(isCovered));
    journal.close();
    rmSync(root, { recursive: true });
  });
});

afterAll(() => {
  expect(uncoveredIn, 'seeds that have ignored folders').toBeGreaterThan(0);
});

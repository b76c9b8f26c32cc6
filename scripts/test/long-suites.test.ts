import { existsSync, globSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { AREAS } from '#scripts/long/areas.ts';
import { chooseSuites } from '#scripts/long/choose.ts';
import { readRecords, type SuiteRecord } from '#scripts/long/records.ts';
import { LONG_SUITES } from '#scripts/long/suites.ts';

/** The folders that hold sources, each with the folders or files in it that areas name. */
const PARENTS = ['app', 'config', 'hosts', 'lib', 'log', 'models', 'net', 'server', 'studio', 'components'];

const belongs = (path: string): boolean =>
  Object.values(AREAS)
    .flat()
    .some((folder) => path === folder || path.startsWith(`${folder}/`));

describe('areas', () => {
  test('every source folder belongs to one', () => {
    const folders = PARENTS.flatMap((parent) =>
      belongs(parent)
        ? []
        : readdirSync(join(ROOT, parent))
            .map((name) => `${parent}/${name}`)
            .filter((path) => statSync(join(ROOT, path)).isDirectory() && !path.endsWith('/test')),
    );
    expect(folders.filter((folder) => !belongs(folder))).toEqual([]);
  });

  test('every folder of an area exists', () => {
    const folders = Object.values(AREAS).flat();
    expect(folders.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
  });
});

describe('long suites', () => {
  test('every file with long tests belongs to exactly one, and every suite of files has some', () => {
    const files = globSync(
      [
        '{bench,config,e2e,hosts,lib,log,models,net,scripts,server}/**/*.long.test.ts',
        '{components,lib,studio}/**/*.long.browser.test.{ts,tsx}',
        'e2e/long/*.spec.ts',
      ],
      { cwd: ROOT, exclude: ['**/node_modules/**'] },
    );
    const listed = LONG_SUITES.flatMap((suite) => suite.files);
    expect(listed.toSorted()).toEqual(files.toSorted());
  });

  test('every suite has an area, and the record names only suites', () => {
    for (const { name, areas } of LONG_SUITES) expect(areas, name).not.toEqual([]);
    expect([...readRecords().keys()].filter((name) => !LONG_SUITES.some((suite) => suite.name === name))).toEqual([]);
  });
});

describe('the choice of long suites', () => {
  const suites = [
    { name: 'a', areas: ['files'] },
    { name: 'b', areas: ['page'] },
    { name: 'c', areas: ['files', 'page'] },
    { name: 'd', areas: ['agent'] },
  ] as const;
  const passed = (commit: string): SuiteRecord => ({ commit: commit.repeat(40), seconds: 1 });
  const changedSince = (commit: string): string[] =>
    commit.startsWith('1') ? ['components/chat/x.tsx', 'lib/vfs/x.test.ts', 'README.md'] : ['README.md'];
  const choose = (records: Record<string, SuiteRecord>) => {
    const options = { names: [], changedOnly: true, changedSince };
    const { due, notDue } = chooseSuites(suites, new Map(Object.entries(records)), options);
    return { due: due.map(({ suite, why }) => `${suite.name}: ${why}`), notDue };
  };

  test('those whose areas have changed come first, then those that passed longest ago', () => {
    expect(choose({ a: passed('1'), b: passed('1'), c: passed('2'), d: passed('1') })).toEqual({
      due: [
        'b: changed since it passed: page',
        'a: one of those that passed longest ago',
        'd: one of those that passed longest ago',
        'c: one of those that passed longest ago',
      ],
      notDue: ['a', 'd', 'c'],
    });
  });

  test('one that never passed is due, and so is one whose commit is gone', () => {
    const { due } = chooseSuites(suites, new Map([['a', passed('3')]]), {
      names: ['a', 'b'],
      changedOnly: true,
      changedSince: () => undefined,
    });
    expect(due.map(({ suite, why }) => `${suite.name}: ${why}`)).toEqual([
      'a: the commit at which it passed is not known here',
      'b: it has never passed',
    ]);
  });

  test('without a choice, all that are named run', () => {
    const { due } = chooseSuites(suites, new Map(), { names: ['d'], changedOnly: false });
    expect(due.map(({ suite }) => suite.name)).toEqual(['d']);
  });
});

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, SOURCE_FOLDERS } from '#scripts/lib/run.ts';

/** The folders whose exports say what they promise. */
const DOCUMENTED = [
  'hosts',
  'lib/agent',
  'lib/base',
  'lib/confinement',
  'lib/prompts',
  'lib/sandbox',
  'lib/tools',
  'lib/vfs',
  'lib/workspace/journal',
  'lib/workspace/language-servers',
  'lib/workspace/shell',
];

/** Longer files say why. */
const LINES_MAX = 400;

const linesOf = (file: string): string[] => readFileSync(join(ROOT, file), 'utf8').split('\n');

const filesIn = (folder: string): string[] =>
  globSync(`${folder}/**/*.{ts,tsx,mjs,js}`, { cwd: ROOT, exclude: ['**/node_modules/**'] });

/** The exported declarations without a docblock. Those on adjacent lines share one. */
function undocumented(lines: readonly string[]): string[] {
  let isDocumented = false;
  const found: string[] = [];
  for (const line of lines) {
    // Re-exports are documented where they are declared.
    const isExport = /^export (?!\{|type \{|\*)/.test(line);
    if (isExport && !isDocumented) found.push(line);
    isDocumented = line.endsWith('*/') || (isExport && isDocumented && line.endsWith(';'));
  }
  return found;
}

describe('what a folder exports has docblocks', () => {
  test.each(DOCUMENTED)('%s', (folder) => {
    const files = filesIn(folder).filter((file) => !/\.test\.ts$|\/test\//.test(file));
    expect(files.length).toBeGreaterThan(0);
    const missing = files.flatMap((file) => undocumented(linesOf(file)).map((line) => `${file}: ${line}`));
    expect(missing, 'write a comment /** … */ above each: what it guarantees, its units, and its errors').toEqual([]);
  });

  test('the check finds an export without one, and lets adjacent ones share', () => {
    const lines = ['/** Both. */', 'export const a = 1;', 'export const b = 2;', '', 'export const c = 3;'];
    expect(undocumented(lines)).toEqual(['export const c = 3;']);
    expect(undocumented(['/** A. */', 'export const a = {', '};', 'export const b = 2;'])).toEqual([
      'export const b = 2;',
    ]);
  });
});

test(`a file of more than ${LINES_MAX} lines begins with the reason`, () => {
  const long = SOURCE_FOLDERS.flatMap(filesIn).filter((file) => linesOf(file).length > LINES_MAX + 1);
  expect(long.length).toBeGreaterThan(0);
  const reason = new RegExp(`^// More than ${LINES_MAX} lines: .{20}`);
  expect(long.filter((file) => !reason.test(linesOf(file)[0] ?? ''))).toEqual([]);
});

/** Matches comments that have to be solved like riddles. “Whether” of a boolean is plain. */
const RIDDLE = /^\s*(?:\/\*\*|\/\/|\*|\{\/\*)\s(?:What|Why|How|Who|Whom|Whose|Whoever|Whatever)\b/;

/** The lines of comments that begin with a question word. Those that continue a sentence of the line before are fine. */
const riddlesIn = (lines: readonly string[]): string[] =>
  lines.filter((line, index) => RIDDLE.test(line) && !/^\s*(?:\*|\/\/).*[^.:]$/.test(lines[index - 1] ?? ''));

describe('comments begin with the noun or the verb that they are about', () => {
  test.each(SOURCE_FOLDERS)('%s', (folder) => {
    const found = filesIn(folder).flatMap((file) => riddlesIn(linesOf(file)).map((line) => `${file}: ${line.trim()}`));
    expect(found, 'say the thing itself: “The parts that are kept”, not “What is kept”').toEqual([]);
  });

  test('the check finds those of all forms, and no others', () => {
    const riddles = ['/** What is kept. */', '  // How long it waits.', ' * Why it failed.', '{/* Who asked. */}'];
    expect(riddlesIn(riddles)).toEqual(riddles);
    expect(
      riddlesIn(['/** Whether it is kept. */', ' * The files, and', ' * What they hold.', "test('// What')"]),
    ).toEqual([]);
  });
});

test('tests that replace modules are in files of their own process, named *.fresh.test.ts', () => {
  const tests = SOURCE_FOLDERS.flatMap(filesIn).filter((file) => /\.test\.tsx?$/.test(file));
  const replacing = tests.filter((file) => linesOf(file).some((line) => /^\s*vi\.(mock|doMock)\(/.test(line)));
  expect(replacing.length).toBeGreaterThan(0);
  expect(replacing.filter((file) => !file.includes('.fresh.'))).toEqual([]);
});

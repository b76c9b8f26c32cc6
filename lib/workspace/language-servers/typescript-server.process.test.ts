import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_CHECKED_FILES } from './limits.ts';
import { lines, openFolder } from './test/folder.ts';
import { typescriptServer } from './typescript-server.ts';

const open = (files: Record<string, string>) => openFolder(files, [typescriptServer()]);

const TAKES_TEXT = 'export function take(text: string) {\n  return text;\n}\n';
const TAKES_NUMBER = 'export function take(count: number) {\n  return count;\n}\n';
const USES = "import { take } from './take';\n\n  take(1);\n";

const MISMATCH = "Argument of type 'number' is not assignable to parameter of type 'string'. (ts)";

test('types are checked across files, and problems are listed in order, counted from 1', async () => {
  const { check } = await open({
    'src/take.ts': TAKES_TEXT,
    'src/use.ts': USES,
    'lib/broken.js': 'const a = ;\n',
    'README.md': '# Not checked',
  });
  const report = await check();
  expect(report).toMatchObject({ files: 3, hasMore: false });
  expect(lines(report)).toEqual([
    '/lib/broken.js:1:11 error Expression expected. (ts)',
    `/src/use.ts:3:8 error ${MISMATCH}`,
  ]);
  expect(lines(await check('/src'))).toEqual([`/src/use.ts:3:8 error ${MISMATCH}`]);
});

test('a change on disk counts in the next check, even in a file that is not checked itself', async () => {
  const { check, write } = await open({ 'take.ts': TAKES_TEXT, 'use.ts': USES });
  expect(lines(await check('/use.ts'))).toEqual([`/use.ts:3:8 error ${MISMATCH}`]);
  await write({ 'take.ts': TAKES_NUMBER });
  expect(lines(await check('/use.ts'))).toEqual([]);
  // Now it is open, so that the server knows its text from here.
  expect(lines(await check('/take.ts'))).toEqual([]);
  await write({ 'take.ts': TAKES_TEXT });
  expect(lines(await check('/use.ts'))).toEqual([`/use.ts:3:8 error ${MISMATCH}`]);
  await write({ 'use.ts': USES.replace('1', "'1'") });
  expect(lines(await check('/use.ts'))).toEqual([]);
});

test('a file that is created or deleted, or whose name changes, counts in the next check', async () => {
  const { root, check, write } = await open({ 'take.ts': 'let a: string = 1;', 'use.ts': USES });
  expect(lines(await check())).toHaveLength(2);
  await rm(join(root, 'take.ts'));
  const missing = "/use.ts:1:22 error Cannot find module './take' or its corresponding type declarations. (ts)";
  const report = await check();
  expect(lines(report)).toEqual([missing]);
  expect(report.files).toBe(1);
  await write({ 'take.ts': TAKES_NUMBER });
  expect(lines(await check('/use.ts'))).toEqual([]);
});

test('changed compiler options, ignored files and installed packages count in the next check', async () => {
  const { check, write } = await open({
    '.gitignore': 'node_modules\ngenerated\n',
    'generated/names.ts': 'export const a = 1;\n',
    'a.ts':
      "import { b } from './generated/names';\nimport { c } from 'c';\nexport function f(d) {\n  return [b, c, d];\n}\n",
  });
  expect((await check()).diagnostics.map(({ line }) => line)).toEqual([1, 2, 3]);
  await write({ 'tsconfig.json': '{ "compilerOptions": { "strict": false, "moduleResolution": "bundler" } }' });
  expect((await check()).diagnostics.map(({ line }) => line)).toEqual([1, 2]);
  await write({ 'generated/names.ts': 'export const b = 1;\n' });
  expect((await check()).diagnostics.map(({ line }) => line)).toEqual([2]);
  await write({
    'node_modules/c/package.json': '{ "name": "c", "types": "c.d.ts" }',
    'node_modules/c/c.d.ts': 'export const c: number;\n',
  });
  expect(await check()).toEqual({ diagnostics: [], files: 1, hasMore: false });
});

test('names may contain spaces and any letters, and columns count UTF-16 units as in the editor', async () => {
  const { check } = await open({ 'Äpfel & Öl/数 #1%20.ts': "const a = '🍎', b: number = '';\nexport { a, b };\n" });
  expect(lines(await check('/Äpfel & Öl'))).toEqual([
    "/Äpfel & Öl/数 #1%20.ts:1:17 error Type 'string' is not assignable to type 'number'. (ts)",
  ]);
});

test('messages name files by their workspace paths', async () => {
  const { root, check } = await open({
    'a.ts': "import { b } from 'b';\nexport const c = b;\n",
    'node_modules/b/package.json': '{ "name": "b", "main": "b.js" }',
    'node_modules/b/b.js': 'exports.b = 1;\n',
  });
  const [line, ...others] = lines(await check());
  expect(line).toContain("'/node_modules/b/b.js' implicitly has an 'any' type");
  expect(line).not.toContain(root);
  expect(others).toEqual([]);
});

test('a directory is checked without ignored files, packages, large files and binary files', async () => {
  const error = 'const a: string = 1;\n';
  const { check } = await open({
    '.gitignore': 'out\n',
    'a.ts': `${error}export {};\n`,
    'out/b.ts': error,
    'node_modules/c/c.ts': error,
    'large.ts': error + '//'.repeat(500_000),
    'video.ts': `${error}\0`,
  });
  const report = await check();
  expect(report.diagnostics.map(({ path }) => path)).toEqual(['/a.ts']);
  expect(report.files).toBe(1);
  expect(await check('/large.ts')).toEqual({ diagnostics: [], files: 0, hasMore: false });
  // A file that is asked for by name is checked.
  expect((await check('/out/b.ts')).files).toBe(1);
  expect((await check('/node_modules/c')).files).toBe(1);
});

test('at most so many files are checked, and the report says that there are more', async () => {
  const names = Array.from({ length: MAX_CHECKED_FILES + 1 }, (_, index) => `${String(index).padStart(3, '0')}.ts`);
  const { root, check, write } = await open(Object.fromEntries(names.map((name) => [name, 'export {};\n'])));
  expect(await check()).toEqual({ diagnostics: [], files: MAX_CHECKED_FILES, hasMore: true });
  await rm(join(root, names[0] ?? ''));
  await write({ 'large.ts': '//'.repeat(500_001) });
  expect(await check()).toEqual({ diagnostics: [], files: MAX_CHECKED_FILES, hasMore: false });
});

test('a path that does not exist is rejected, and a file without a server is not checked', async () => {
  const { check } = await open({ 'a.txt': 'a' });
  await expect(check('/b.ts')).rejects.toMatchObject({ name: 'FileSystemError', code: 'ENOENT' });
  expect(await check('/a.txt')).toEqual({ diagnostics: [], files: 0, hasMore: false });
});

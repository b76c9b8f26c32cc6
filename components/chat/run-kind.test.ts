import { expect, test } from 'vitest';
import { runKind } from './run-kind.ts';

test.each([
  ['js', '1 + 1', 'javascript'],
  ['TypeScript', 'const n: number = 1', 'typescript'],
  ['ts', "import { z } from 'zod';\nz.string()", 'page'],
  ['js', 'const { z } = await import("zod")', 'javascript'],
  ['js', 'import("zod")', 'javascript'],
  ['js', 'const text = "\\nexport"', 'javascript'],
  ['tsx', 'export default () => null', 'page'],
  ['html', '<p>', 'page'],
  ['xml', '<?xml version="1.0"?>\n<svg/>', 'page'],
  ['xml', '<note/>', undefined],
  ['python', 'print(1)', undefined],
  [undefined, '1', undefined],
])('code in %s runs where it can: %j', (language, code, kind) => {
  expect(runKind(language, code)).toBe(kind);
});

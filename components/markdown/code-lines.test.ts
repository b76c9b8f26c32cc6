import { expect, test } from 'vitest';
import { random } from '#lib/vfs/test/random.ts';
import { CodeLines } from './code-lines.ts';
import { CODE_LIMITS } from './limits.ts';

function linesOf(code: string): CodeLines {
  const lines = new CodeLines();
  lines.update(code);
  return lines;
}

const allOf = (lines: CodeLines): string[] => Array.from({ length: lines.count }, (_, index) => lines.at(index));

test('lines of code that grows are those of the whole code', () => {
  const code = 'const a = 1;\n\n\tif (b) {\n}\n日本語\nlast';
  for (let seed = 0; seed < 50; seed++) {
    const next = random(seed);
    const lines = new CodeLines();
    for (let at = 0; at < code.length; ) {
      at = Math.min(code.length, at + 1 + Math.floor(next() * 8));
      lines.update(code.slice(0, at));
      expect(allOf(lines)).toEqual(code.slice(0, at).split('\n'));
      expect(lines.columns).toBe(linesOf(code.slice(0, at)).columns);
    }
  }
});

test('code that was replaced is read from its beginning', () => {
  const lines = linesOf('a much longer line\nb\nc');
  lines.update('x\ny');
  expect(allOf(lines)).toEqual(['x', 'y']);
  expect(lines.columns).toBe(1);
});

test('the width counts tabs and wide characters', () => {
  expect(linesOf('ab\nabc\na').columns).toBe(3);
  expect(linesOf('\ta').columns).toBe(9);
  expect(linesOf('日本').columns).toBe(4);
});

test('a very long line is cut', () => {
  const long = 'x'.repeat(2_000_000);
  const lines = linesOf(`${long}\n${'y'.repeat(CODE_LIMITS.lineMax)}\n${long}`);
  expect(lines.at(0)).toBe(`${'x'.repeat(CODE_LIMITS.lineMax)}…`);
  expect(lines.at(1)).toBe('y'.repeat(CODE_LIMITS.lineMax));
  expect(lines.at(2)).toHaveLength(CODE_LIMITS.lineMax + 1);
  expect(lines.columns).toBe(CODE_LIMITS.lineMax + 1);
});

test('an offset has a line and a column', () => {
  const lines = linesOf('ab\n\ncde');
  expect([0, 1, 2, 3, 4, 6].map((offset) => lines.positionOf(offset))).toEqual([
    { line: 0, column: 0 },
    { line: 0, column: 1 },
    { line: 0, column: 2 },
    { line: 1, column: 0 },
    { line: 2, column: 0 },
    { line: 2, column: 2 },
  ]);
});

/** The path of a file of twenty lines, of which a call changes the second, the tenth, and the last one. */
export const PATH = '/src/values.ts';

const line = (n: number) => `const value${n} = ${n};\n`;
const changedLine = (n: number) => `const changed${n} = ${n * 100};\n`;

export const BEFORE = Array.from({ length: 20 }, (_, n) => line(n + 1)).join('');

/** The text of the file with the changes of these lines. */
export const changed = (...lines: number[]): string =>
  lines.reduce((text, n) => text.replace(line(n), changedLine(n)), BEFORE);

export const changeCall = [
  {
    name: 'multi_edit',
    arguments: JSON.stringify({
      path: PATH,
      edits: [2, 10, 20].map((n) => ({ find: line(n), replace: changedLine(n) })),
    }),
  },
];

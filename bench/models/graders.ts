import type { Ending, Wanted } from './task.ts';

const READERS = new Set(['read_file', 'execute_bash', 'browser_js_eval', 'search_text']);
const LISTERS = new Set(['list_directory', 'search_files', 'execute_bash', 'browser_js_eval']);
const WRITERS = new Set(['write_file', 'edit_file', 'multi_edit', 'apply_patch', 'execute_bash', 'browser_js_eval']);

/** Text in which numbers have no separators, in lower case. */
const plain = (text: string): string => text.replaceAll(/(?<=\d)[,，\u00a0\u202f ](?=\d{3})/g, '').toLowerCase();

const includesAll = (text: string, wanted: readonly string[]): boolean =>
  wanted.every((word) => plain(text).includes(word.toLowerCase()));

/** The names in a folder. */
export const list = (folder: string, names: readonly string[]): Wanted => ({
  kind: 'list',
  files: Object.fromEntries(names.map((name) => [`${folder}/${name}`, `This is ${name}.\n`])),
  isFirstRight: ({ name, hasFailed, output }) => !hasFailed && LISTERS.has(name) && includesAll(output, names),
  isAnswered: ({ answer }) => includesAll(answer, names),
});

/** A fact in a file. */
export const read = (path: string, text: string, fact: string): Wanted => ({
  kind: 'read',
  files: { [path]: text },
  isFirstRight: ({ name, hasFailed, output }) => !hasFailed && READERS.has(name) && includesAll(output, [fact]),
  isAnswered: ({ answer }) => includesAll(answer, [fact]),
});

/** A number that must be computed. */
export const compute = (value: string): Wanted => ({
  kind: 'compute',
  files: {},
  isFirstRight: ({ name, hasFailed, output }) =>
    !hasFailed && (name === 'browser_js_eval' || name === 'execute_bash') && includesAll(output, [value]),
  isAnswered: ({ answer }) => includesAll(answer, [value]),
});

/** A new file with this text. */
export const write = (path: string, text: string): Wanted => {
  const isThere = (files: Ending['files']) => files.get(path)?.trim() === text;
  return {
    kind: 'write',
    files: { '/README.md': '# Notes\n' },
    isFirstRight: ({ name, hasFailed, files }) => !hasFailed && WRITERS.has(name) && isThere(files),
    isAnswered: ({ files }) => isThere(files),
  };
};

/** A replacement in a file. */
export const edit = (path: string, text: string, [from, to]: readonly [string, string]): Wanted => {
  const isChanged = (files: Ending['files']) => files.get(path)?.trim() === text.replace(from, to).trim();
  return {
    kind: 'edit',
    files: { [path]: text },
    isFirstRight: ({ name, hasFailed, output, files }) =>
      !hasFailed && (isChanged(files) || (READERS.has(name) && includesAll(output, [from]))),
    isAnswered: ({ files }) => isChanged(files),
  };
};

/** The only file that contains a word. */
export const search = (word: string, path: string, others: readonly string[]): Wanted => ({
  kind: 'search',
  files: {
    [path]: `Nothing here.\nThe word is ${word}.\n`,
    ...Object.fromEntries(others.map((other) => [other, 'Something else.\n'])),
  },
  isFirstRight: ({ name, hasFailed, output }) =>
    !hasFailed && (name === 'search_text' || name === 'execute_bash') && includesAll(output, [path]),
  isAnswered: ({ answer }) => includesAll(answer, [path.split('/').at(-1) ?? path]),
});

/** Facts in two files. */
export const twoCalls = (files: Readonly<Record<string, string>>, facts: readonly [string, string]): Wanted => ({
  kind: 'two-calls',
  files,
  isFirstRight: ({ name, hasFailed, output }) =>
    !hasFailed && READERS.has(name) && facts.some((fact) => includesAll(output, [fact])),
  isAnswered: ({ answer }) => includesAll(answer, facts),
});

/** A fact in a file whose name is slightly wrong in the question. */
export const failingFirst = (wrong: string, path: string, text: string, fact: string): Wanted => ({
  kind: 'failing-first',
  files: { [path]: text },
  isFirstRight: ({ name, input, hasFailed, output }) =>
    (!hasFailed && LISTERS.has(name) && includesAll(output, [path.split('/').at(-1) ?? path])) ||
    (READERS.has(name) && JSON.stringify(input).includes(wrong.slice(1))),
  isAnswered: ({ answer }) => includesAll(answer, [fact]),
});

/** A new file with text that depends on a fact in another one. */
export const readThenWrite = (
  files: Readonly<Record<string, string>>,
  fact: string,
  path: string,
  text: string,
): Wanted => ({
  kind: 'read-then-write',
  files,
  isFirstRight: ({ name, hasFailed, output }) => !hasFailed && READERS.has(name) && includesAll(output, [fact]),
  isAnswered: (ending) => ending.files.get(path)?.trim() === text,
});

/** A question that needs no tool. */
export const none = (fact: RegExp): Wanted => ({
  kind: 'none',
  files: { '/README.md': '# Notes\n' },
  isAnswered: ({ answer }) => fact.test(answer),
});

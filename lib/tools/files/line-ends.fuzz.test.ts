import { createTwoFilesPatch } from 'diff';
import { expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill } from '#lib/vfs/test/contract.ts';
import { random as randomOf } from '#lib/vfs/test/random.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import type { Tool } from '../core/tool.ts';
import { runTool } from '../test/run-tool.ts';
import { applyPatch } from './apply-patch.ts';
import { editFile } from './edit-file.ts';
import { multiEdit } from './multi-edit.ts';

/** `FUZZ_SEEDS=20000 npm run unit -- lib/tools/files/line-ends.fuzz.test.ts` tries that many seeds. */
const SEEDS = Number(process.env.FUZZ_SEEDS ?? 2_000);

interface Case {
  mark: string;
  /** Each line is different, so that it is known which of them stay. */
  lines: { text: string; end: string }[];
  /** The lines from `from` to before `to` are replaced. */
  from: number;
  to: number;
  added: string[];
}

const KINDS = [['\n'], ['\r\n'], ['\r'], ['\n', '\r\n'], ['\n', '\r\n', '\r']];

function caseOf(seed: number): Case {
  const next = randomOf(seed);
  const below = (end: number): number => Math.floor(next() * end);
  const ends = KINDS[below(KINDS.length)] ?? ['\n'];
  const count = 2 + below(8);
  const lines = Array.from({ length: count }, (_, row) => ({
    text: below(6) === 0 && row > 0 ? `${row}` : `line ${row} of ${seed}`,
    end: ends[below(ends.length)] ?? '\n',
  }));
  const last = lines.at(-1);
  if (last !== undefined && below(2) === 0) last.end = '';
  const from = below(count);
  const to = Math.min(count, from + below(4));
  const added = Array.from({ length: below(4) + (from === to ? 1 : 0) }, (_, row) => `new ${row}`);
  return { mark: below(3) === 0 ? '\ufeff' : '', lines, from, to, added };
}

const textOf = ({ mark, lines }: Pick<Case, 'mark' | 'lines'>): string =>
  mark + lines.map(({ text, end }) => text + end).join('');

const plain = (text: string): string => text.replace(/\r\n?/g, '\n');

/** The case as calls of all tools that edit, all of which mean the same. */
function callsOf({ mark, lines, from, to, added }: Case): [name: string, tool: Tool, input: object][] {
  const old = lines.slice(from, to).map(({ text }) => text);
  const around = { before: lines[from - 1]?.text, after: lines[to]?.text };
  const context = [around.before, around.after].filter((line) => line !== undefined);
  if (context.length === 0) return [];
  const find = [around.before, ...old, around.after].filter((line) => line !== undefined).join('\n');
  const replace = [around.before, ...added, around.after].filter((line) => line !== undefined).join('\n');
  const hunk = [
    ...(around.before === undefined ? [] : [` ${around.before}`]),
    ...old.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...(around.after === undefined ? [] : [` ${around.after}`]),
  ];
  const before = plain(textOf({ mark: '', lines }));
  const wanted = plain(expectedOf({ mark: '', lines, from, to, added }));
  const unified = createTwoFilesPatch('/f', '/f', before, wanted, '', '', { context: 2 });
  const edit = { find, replace };
  const isEdit = find !== replace && (mark === '' || from > 1);
  return [
    ...(isEdit ? ([['edit_file', editFile, { path: '/f', ...edit }]] as const) : []),
    ...(isEdit ? ([['multi_edit', multiEdit, { path: '/f', edits: [edit] }]] as const) : []),
    ['V4A', applyPatch, { patch: `*** Begin Patch\n*** Update File: /f\n@@\n${hunk.join('\n')}\n*** End Patch` }],
    ['unified', applyPatch, { patch: unified }],
  ].map(([name, tool, input]) => [name as string, tool as Tool, input as object]);
}

/** The text after the change: a line in place of another ends like that, and one that is added like the line before. */
function expectedOf({ mark, lines, from, to, added }: Case): string {
  const freed = lines.slice(from, to).map(({ end }) => end);
  const now: { text: string; end: string }[] = lines.slice(0, from);
  for (const text of added) now.push({ text, end: freed.shift() ?? now.at(-1)?.end ?? 'first' });
  const all = [...now, ...lines.slice(to)];
  const usual = /\r\n|\r|\n/.exec(textOf({ mark: '', lines }))?.[0] ?? '\n';
  return (
    mark +
    all
      .map(({ text, end }, row) => {
        const isLast = row === all.length - 1;
        if (end === 'first') return text + (lines[to]?.end || usual);
        return text + (end === '' && !isLast ? all[row - 1]?.end || usual : end);
      })
      .join('')
  );
}

test(`bytes outside of a change stay as they are, and added lines end like the one before (${SEEDS} seeds)`, async () => {
  let calls = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const tried = caseOf(seed);
    for (const [name, tool, input] of callsOf(tried)) {
      const files = new MemoryFileSystem();
      await fill(files, { '/f': textOf(tried) });
      await runTool(tool, input, files);
      calls++;
      const [got, before] = [decodeUtf8(await files.readFile('/f')) ?? '', textOf(tried)];
      const about = `${name}, seed ${seed}: ${JSON.stringify({ before, got, input })}`;
      // At the end of the file, the ways to describe a change differ in what becomes of the last line end.
      const shown = (text: string) => (tried.to === tried.lines.length ? plain(text).replace(/\n$/, '') : plain(text));
      expect(shown(got), about).toBe(shown(expectedOf(tried)));
      // The lines before the change, and those after it, byte for byte.
      const head = textOf({ mark: tried.mark, lines: tried.lines.slice(0, Math.max(0, tried.from - 1)) });
      const tail = textOf({ mark: '', lines: tried.lines.slice(tried.to + 1) });
      expect(got.startsWith(head) && got.endsWith(tail), about).toBe(true);
      if (tried.from > 0 && tried.to < tried.lines.length) expect(got, about).toBe(expectedOf(tried));
    }
  }
  expect(calls).toBeGreaterThan(SEEDS * 2);
});

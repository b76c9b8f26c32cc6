import { headingsIn } from '#lib/threads/find/headings.ts';
import { BlockSplitter } from './block-splitter.ts';
import { markFormulas, withLatex } from './formulas.ts';
import { simpleSource } from './simple-source.ts';

/** A heading of a long text, and its place. */
export interface OutlineEntry {
  /** From 0, for the highest headings of the text. */
  depth: number;
  text: string;
  /** The name of the group of blocks. While that is far from the screen, its element has it as `data-group`. */
  group: string;
  /** The name of the block, which the elements of its headings have as `data-block`. */
  block: string;
  /** The number of the heading in its block, from 0. */
  ordinal: number;
}

/** Matches a line that may be a heading, or the line below one. */
const HEADING = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|[=-]+[ \t]*$)/m;

/** The headings of a text in Markdown, outside of lists, quotes, and code. `name`: the name of the text in its thread. */
export function outlineOf(markdown: string, name: string): OutlineEntry[] {
  const { groups } = new BlockSplitter().update(markdown, true);
  const found = groups.flatMap((blocks, groupIndex) =>
    blocks.flatMap((block, blockIndex) => {
      // One that is too complex is shown as plain text, without headings.
      if (block.type !== 'text' || !HEADING.test(block.source) || simpleSource(block) === undefined) return [];
      const group = `${name}/${groupIndex}`;
      const { source, formulas } = markFormulas(block.source);
      return headingsIn(source)
        .map(({ level, text }, ordinal) => ({ level, text: withLatex(text, formulas), ordinal }))
        .map((heading) => ({ ...heading, group, block: `${group}/${blockIndex}` }))
        .filter(({ text }) => text !== '');
    }),
  );
  const highest = found.reduce((least, { level }) => Math.min(least, level), Number.POSITIVE_INFINITY);
  return found.map(({ level, ...entry }) => ({ ...entry, depth: level - highest }));
}

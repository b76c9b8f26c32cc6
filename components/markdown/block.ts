/** A piece of Markdown that can be parsed on its own: a block, or several items or rows of a long list or table. */
export interface Part {
  source: string;
  /** The deepest nesting of quotes and lists. */
  depth: number;
  /** The number of characters outside of code blocks. */
  prose: number;
  /** The number of `[`, and of runs of `*`, `_`, and `~`, outside of code blocks. */
  marks: number;
}

interface TextBlock extends Part {
  type: 'text';
}

export interface FenceBlock {
  type: 'fence';
  /** The source, including the line with the opening fence, and the one with the closing fence if there is one. */
  source: string;
}

export interface TableBlock {
  type: 'table';
  /** The rows in parts, each of which begins with the table's head. */
  parts: readonly Part[];
  /** The number of rows, without the head. */
  rows: number;
}

export interface ListBlock {
  type: 'list';
  parts: readonly Part[];
  items: number;
  /** Whether the list is loose, so that its items are paragraphs. */
  isLoose: boolean;
}

interface FootnoteBlock {
  type: 'footnote';
  source: string;
}

export interface DetailsBlock {
  type: 'details';
  /** The source, from the opening tag to the closing one if there is one. */
  source: string;
}

/** An outermost block of a Markdown document. */
export type Block = TextBlock | FenceBlock | TableBlock | ListBlock | FootnoteBlock | DetailsBlock;

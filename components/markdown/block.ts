/** Markdown that can be parsed on its own. */
export interface Part {
  source: string;
  /** Quotes and lists inside each other. */
  depth: number;
  /** Characters outside of fenced code. */
  prose: number;
  /** Brackets, and runs of the characters that emphasize, outside of code. */
  marks: number;
}

export interface TextBlock extends Part {
  type: 'text';
}

export interface FenceBlock {
  type: 'fence';
  /** With the line that begins it, and with the one that ends it if there is one. */
  source: string;
}

export interface TableBlock {
  type: 'table';
  /** The rows, each part with the table's head before it. */
  parts: readonly Part[];
  rows: number;
}

export interface ListBlock {
  type: 'list';
  parts: readonly Part[];
  items: number;
  /** Whether the items are paragraphs. */
  isLoose: boolean;
}

export interface FootnoteBlock {
  type: 'footnote';
  source: string;
}

/** A block of the document. */
export type Block = TextBlock | FenceBlock | TableBlock | ListBlock | FootnoteBlock;

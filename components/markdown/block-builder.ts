import type { Block, Part } from './block.ts';
import { BlockScanner, type ScannedLine } from './block-scanner.ts';
import { MARKDOWN_LIMITS } from './limits.ts';

/** The state of the block that is being read. `from`, `partFrom`, and the like are offsets in the text. */
interface Open {
  type: Block['type'];
  from: number;
  prose: number;
  depth: number;
  marks: number;
  /** The offset at which the block's last line begins. */
  lastLine: number;
  /** In a table, the offset at which its head ends. */
  headEnd: number;
  /** The number of rows of a table or items of a list. */
  count: number;
  countInPart: number;
  isLoose: boolean;
  partFrom: number;
  parts: Part[];
}

/** A slice of a text as a true copy: in most engines, a slice would keep the whole text in memory. */
const cut = (text: string, from: number, to: number): string => ` ${text.slice(from, to)}`.slice(1);

/** Combines the lines of a Markdown text, given one by one, into blocks. */
export class BlockBuilder {
  readonly #scanner: BlockScanner;
  #open: Open | undefined;
  /** The blocks that can no longer change and have not been taken yet. */
  finished: Block[] = [];

  constructor(scanner = new BlockScanner()) {
    this.#scanner = scanner;
  }

  /** A builder in the same state, without the finished blocks. */
  clone(): BlockBuilder {
    const copy = new BlockBuilder(this.#scanner.clone());
    copy.#open = this.#open === undefined ? undefined : { ...this.#open, parts: [...this.#open.parts] };
    return copy;
  }

  /** Reads the next line of the text: the one between the offsets `from` and `to`, without its line end. */
  line(text: string, from: number, to: number): void {
    const scanned = this.#scanner.line(text.slice(from, to));
    if (scanned.starts !== undefined) this.#begin(text, from, scanned.starts);
    // Blank lines before the first block belong to no block.
    if (this.#open === undefined) return;
    if (scanned.table === 'head') this.#beginTable(text, to);
    this.#count(text, from, to, scanned, this.#open);
  }

  /** Whether the text ends inside a fence that CommonMark would have ended earlier. */
  get isNested(): boolean {
    return this.#scanner.isNested;
  }

  /** Whether the text ends inside a `details` element. */
  get isInDetails(): boolean {
    return this.#scanner.isInDetails;
  }

  /** The block that is not finished yet, as if the text ended here; undefined if there is none. */
  last(text: string): Block | undefined {
    return this.#open === undefined ? undefined : closed(this.#open, text, text.length);
  }

  #begin(text: string, at: number, type: Block['type']): void {
    if (this.#open !== undefined) this.finished.push(closed(this.#open, text, at));
    this.#open = {
      type,
      from: at,
      prose: 0,
      depth: 0,
      marks: 0,
      lastLine: at,
      headEnd: at,
      count: type === 'list' ? 1 : 0,
      countInPart: type === 'list' ? 1 : 0,
      isLoose: false,
      partFrom: at,
      parts: [],
    };
  }

  /** Turns the line before into a table's header. Lines above it in the block become a paragraph of their own. */
  #beginTable(text: string, headEnd: number): void {
    const header = this.#open?.lastLine ?? 0;
    if (this.#open !== undefined && header > this.#open.from) this.#begin(text, header, 'table');
    if (this.#open === undefined) return;
    Object.assign(this.#open, { type: 'table', headEnd, partFrom: headEnd, prose: 0 });
  }

  #count(text: string, from: number, to: number, scanned: ScannedLine, open: Open): void {
    const { partCharacters, partItems, partRows } = MARKDOWN_LIMITS;
    const isItem = scanned.item === true;
    const isRow = scanned.table === 'row';
    const isFull = open.countInPart >= (isItem ? partItems : partRows) || from - open.partFrom >= partCharacters;
    if ((isItem || isRow) && open.countInPart > 0 && isFull) {
      open.parts.push(partOf(open, text, from));
      Object.assign(open, { partFrom: from, prose: 0, depth: 0, marks: 0, countInPart: 0 });
    }
    if (isItem || isRow) {
      open.count++;
      open.countInPart++;
    }
    if (scanned.loose) open.isLoose = true;
    if (!scanned.code) {
      open.prose += to - from;
      if (open.prose <= MARKDOWN_LIMITS.proseMax) open.marks += marksIn(text.slice(from, to));
    }
    open.depth = Math.max(open.depth, this.#scanner.depth);
    open.lastLine = from;
  }
}

const marksIn = (line: string): number => line.match(/[*_~]+|\[/g)?.length ?? 0;

function partOf({ type, from, headEnd, partFrom, depth, prose, marks }: Open, text: string, to: number): Part {
  if (type !== 'table') return { source: cut(text, partFrom, to), depth, prose, marks };
  const rows = text.slice(partFrom, to).replace(/^\r?\n/, '');
  return { source: ` ${text.slice(from, headEnd)}\n${rows}`.slice(1), depth, prose, marks };
}

function closed(open: Open, text: string, to: number): Block {
  const { type, count, isLoose } = open;
  switch (type) {
    case 'text':
      return { type, ...partOf(open, text, to) };
    case 'table':
      return { type, rows: count, parts: [...open.parts, partOf(open, text, to)] };
    case 'list':
      return { type, items: count, isLoose, parts: [...open.parts, partOf(open, text, to)] };
    default:
      return { type, source: cut(text, open.from, to) };
  }
}

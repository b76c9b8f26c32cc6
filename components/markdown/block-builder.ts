import type { Block, Part } from './block.ts';
import { BlockScanner, type ScannedLine } from './block-scanner.ts';
import { MARKDOWN_LIMITS } from './limits.ts';

/** The state of the block that is being read. Places are offsets in the text. */
interface Open {
  type: Block['type'];
  from: number;
  prose: number;
  depth: number;
  marks: number;
  /** Where its last line begins. */
  lastLine: number;
  /** Of a table: where its head ends. */
  headEnd: number;
  /** Rows or items. */
  count: number;
  countInPart: number;
  isLoose: boolean;
  partFrom: number;
  parts: Part[];
}

/** A copy that does not keep the text alive from which it was cut, as slices do in most engines. */
const cut = (text: string, from: number, to: number): string => ` ${text.slice(from, to)}`.slice(1);

/** Puts lines together to blocks. */
export class BlockBuilder {
  readonly #scanner: BlockScanner;
  #open: Open | undefined;
  /** The blocks that can no longer change. */
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

  /** The next line of the text, `to` without its end. */
  line(text: string, from: number, to: number): void {
    const scanned = this.#scanner.line(text.slice(from, to));
    if (scanned.starts !== undefined) this.#begin(text, from, scanned.starts);
    // Blank lines before the first block belong to no block.
    if (this.#open === undefined) return;
    if (scanned.table === 'head') this.#beginTable(text, to);
    this.#count(text, from, to, scanned, this.#open);
  }

  /** Whether the text ends in a fence that would have ended earlier in CommonMark. */
  get isNested(): boolean {
    return this.#scanner.isNested;
  }

  /** The block that the text ends with; undefined if there is none. */
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

  /** The line before is the header; those before it are a paragraph of their own. */
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

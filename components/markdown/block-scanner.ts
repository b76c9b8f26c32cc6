import { MARKDOWN_LIMITS } from './limits.ts';
import { LineCursor } from './line-cursor.ts';
import {
  enterItem,
  type Fence,
  FOOTNOTE,
  fenceStart,
  HEADING,
  type HtmlKind,
  htmlStart,
  isFenceEnd,
  isTableHead,
  listMarker,
  SETEXT_UNDERLINE,
  THEMATIC_BREAK,
} from './line-starts.ts';

type Container = { type: 'quote' } | { type: 'item' | 'footnote'; indent: number; isEmpty: boolean };

/** A container that begins on the current line. `key`: the marker of a list item that is not inside another container. */
type NewContainer = Container & { key?: string };

type Leaf =
  | { type: 'none' | 'text' | 'table' | 'indented' }
  | { type: 'fence'; fence: Fence; inner?: Fence; isMaybeOver?: true }
  | { type: 'html'; kind: HtmlKind }
  | { type: 'formula'; end: string }
  /** `inside`: reads the lines between its tags. */
  | { type: 'details'; inside: BlockScanner };

type FenceLeaf = Extract<Leaf, { type: 'fence' }>;

/** The meaning of a line for the document's outermost blocks. Blocks inside lists and quotes are not reported. */
export interface ScannedLine {
  /** The line begins an outermost block of this type. */
  starts?: 'text' | 'fence' | 'list' | 'footnote' | 'details';
  /** The line begins another item of the open list. */
  item?: true;
  /** The line shows that the list is loose: its items are paragraphs. */
  loose?: true;
  /** `head`: the line makes the line before it a table's header. `row`: the line is a row of the open table. */
  table?: 'head' | 'row';
  /** The line is inside fenced or indented code, even in a list or a quote. */
  code?: true;
}

/** Matches a line that begins a `details` element, and one that ends it. In other lines, the tags are text. */
const DETAILS_START = /^<details(?:\s[^>]{0,200})?>\s*(?:$|<summary[\s>])/i;
const DETAILS_END = /^\s*<\/details\s*>|<\/details\s*>\s*$/i;

/** The ends of formulas on lines of their own, by their beginnings. */
const FORMULA_ENDS: ReadonlyMap<string, string> = new Map([
  ['$$', '$$'],
  ['\\[', '\\]'],
]);

/** Matches the languages of fences that may contain fences. */
const DOCUMENT = /^(?:markdown|mdx?)$/i;

/**
 * Matches lines after which a bare fence in a fenced document may begin an example instead of ending the document: a blank
 * line, a heading, or a line that ends with a colon.
 */
const BEFORE_EXAMPLE = /^\s*$|^#{1,6}\s|[:：][*_\s]*$/;

/**
 * The code fences that count as nested inside a fenced Markdown document although its own fence is not longer: all, only
 * those with a language (`labelled`), or none, as in CommonMark.
 */
export type NestedFences = 'all' | 'labelled' | 'none';

/**
 * Finds where the blocks of Markdown begin, line by line. Keeps only what CommonMark and GFM need to know of earlier lines:
 * the open containers and the open leaf. No parser offers this: they read a text from its beginning.
 */
export class BlockScanner {
  #containers: Container[] = [];
  #leaf: Leaf = { type: 'none' };
  /** The marker of the open outermost list, which an item with the same marker continues. */
  #list: string | undefined;
  #wasBlank = false;
  #lineBefore = '';
  readonly #nests: NestedFences;
  /** The number of `details` elements around the text. */
  readonly #level: number;
  /** The deepest nesting of containers so far in the current block. */
  depth = 0;
  /** Whether the open fence contains others, so that it ends later than it would in CommonMark. */
  isNested = false;

  /** `level`: the number of `details` elements around the text. */
  constructor(nests: NestedFences = 'all', level = 0) {
    this.#nests = nests;
    this.#level = level;
  }

  /** A scanner in the same state, for a line that is not complete yet. */
  clone(): BlockScanner {
    const copy = new BlockScanner(this.#nests, this.#level);
    copy.#containers = this.#containers.map((container) => ({ ...container }));
    copy.#leaf = this.#leaf.type === 'details' ? { type: 'details', inside: this.#leaf.inside.clone() } : this.#leaf;
    copy.#list = this.#list;
    copy.#wasBlank = this.#wasBlank;
    copy.#lineBefore = this.#lineBefore;
    copy.depth = this.depth;
    copy.isNested = this.isNested;
    return copy;
  }

  /** Whether the text ends inside a `details` element. */
  get isInDetails(): boolean {
    return this.#leaf.type === 'details';
  }

  /** Reads the next line, given without its line end. */
  line(text: string): ScannedLine {
    const head = text.slice(0, MARKDOWN_LIMITS.lineHeadMax);
    const cursor = new LineCursor(head);
    // A blank line inside a fence does not make a list loose.
    const separates = cursor.isBlank && this.#leaf.type !== 'fence' && this.#leaf.type !== 'details';
    const scanned = this.#scan(cursor, text);
    this.#wasBlank = separates;
    this.#lineBefore = head;
    if (scanned.starts !== undefined) this.depth = 0;
    this.depth = Math.max(this.depth, this.#containers.length);
    return scanned;
  }

  #scan(cursor: LineCursor, text: string): ScannedLine {
    if (this.#leaf.type === 'details') return this.#continueDetails(this.#leaf.inside, text);
    const matched = this.#matchContainers(cursor);
    const allMatched = matched === this.#containers.length;
    if (allMatched && this.#continuesCode(cursor)) return { code: true };
    if (allMatched && this.#leaf.type === 'html') return this.#continueHtml(cursor, text);
    if (cursor.isBlank) {
      this.#close(matched);
      return {};
    }
    // Formulas have no code in them: this one began by mistake.
    if (this.#leaf.type === 'formula' && fenceStart(cursor.rest) !== undefined) this.#leaf = { type: 'none' };
    if (allMatched && this.#leaf.type === 'formula') {
      if (cursor.rest.trimEnd().endsWith(this.#leaf.end)) this.#leaf = { type: 'none' };
      return {};
    }
    const { type } = this.#leaf;
    const continuesText = type === 'text' && allMatched;
    if (continuesText && cursor.indent < 4 && SETEXT_UNDERLINE.test(cursor.rest)) {
      this.#leaf = { type: 'none' };
      return {};
    }
    const started = this.#start(cursor, text, matched, allMatched);
    if (started !== undefined) return started;
    if (continuesText) return this.#continueText(cursor);
    // A line of text continues a paragraph even if it lacks the marks of the containers around it.
    if (type === 'text') return {};
    if (type === 'table' && allMatched) return this.#containers.length === 0 ? { table: 'row' } : {};
    // Right after indented code, the parser takes some lists for text. As separate blocks, they would be lists.
    if (type === 'indented' && allMatched && listMarker(cursor.rest) !== undefined) {
      this.#leaf = { type: 'text' };
      return {};
    }
    return this.#open(matched, { type: 'text' });
  }

  #matchContainers(cursor: LineCursor): number {
    let matched = 0;
    for (const container of this.#containers) {
      if (container.type === 'quote') {
        if (!enterQuote(cursor)) break;
      } else if (cursor.isBlank) {
        if (container.isEmpty) break;
      } else if (cursor.indent >= container.indent) {
        cursor.advanceColumns(container.indent);
        container.isEmpty = false;
      } else {
        break;
      }
      matched++;
    }
    return matched;
  }

  /** Checks whether the line belongs to the open fenced or indented code, and updates the open leaf. */
  #continuesCode(cursor: LineCursor): boolean {
    if (this.#leaf.type === 'fence' && this.#leaf.isMaybeOver === true) this.#leaf = this.#decided(cursor, this.#leaf);
    if (this.#leaf.type === 'fence') {
      if (cursor.indent < 4) this.#leaf = this.#afterFenceLine(cursor.rest, this.#leaf);
      return true;
    }
    return this.#leaf.type === 'indented' && (cursor.isBlank || cursor.indent >= 4);
  }

  #afterFenceLine(rest: string, leaf: FenceLeaf): Leaf {
    const { fence, inner } = leaf;
    const isDocument =
      this.#nests !== 'none' && this.#containers.length === 0 && DOCUMENT.test(fence.language) && inner === undefined;
    if (isFenceEnd(rest, inner ?? fence)) {
      if (inner !== undefined) return { type: 'fence', fence };
      this.isNested = false;
      const isMaybeExample = isDocument && this.#nests === 'all' && BEFORE_EXAMPLE.test(this.#lineBefore);
      return isMaybeExample ? { type: 'fence', fence, isMaybeOver: true } : { type: 'none' };
    }
    // Only fences with a language open an example in a fenced document. One without may be the end of something.
    const begun = isDocument ? fenceStart(rest) : undefined;
    if (begun === undefined || begun.language === '') return leaf;
    this.isNested = true;
    return { ...leaf, inner: begun };
  }

  /** Decides what the last fence was: the end of the fenced document if this line is blank, or else the start of an example. */
  #decided(cursor: LineCursor, { fence }: FenceLeaf): Leaf {
    if (cursor.isBlank) return { type: 'none' };
    this.isNested = true;
    return { type: 'fence', fence, inner: { ...fence, language: '' } };
  }

  #continueHtml(cursor: LineCursor, text: string): ScannedLine {
    if (this.#leaf.type !== 'html') return {};
    const { end } = this.#leaf.kind;
    if (end === undefined ? cursor.isBlank : end.test(text)) this.#leaf = { type: 'none' };
    return {};
  }

  /** Reads a line of a `details` element, which may have blocks of all kinds in it. */
  #continueDetails(inside: BlockScanner, text: string): ScannedLine {
    const isNested = inside.#leaf.type === 'details';
    const { code } = inside.line(text);
    if (!isNested && !code && DETAILS_END.test(text)) this.#leaf = { type: 'none' };
    return code ? { code } : {};
  }

  #continueText(cursor: LineCursor): ScannedLine {
    const before = new LineCursor(this.#lineBefore);
    this.#matchContainers(before);
    if (cursor.indent >= 4 || !isTableHead(before.rest, cursor.rest)) return {};
    this.#leaf = { type: 'table' };
    return this.#containers.length === 0 ? { table: 'head' } : {};
  }

  /** Opens the containers and the leaf that begin on the line. Returns undefined if the line is only text. */
  #start(cursor: LineCursor, text: string, matched: number, allMatched: boolean): ScannedLine | undefined {
    // Not every list can begin in the middle of a paragraph. The parser treats indented code alike.
    const interrupts = allMatched && (this.#leaf.type === 'text' || this.#leaf.type === 'indented');
    let started: ScannedLine | undefined;
    let level = matched;
    while (level <= MARKDOWN_LIMITS.depthMax) {
      const container = this.#containerAt(cursor, level, interrupts && started === undefined);
      if (container === undefined) break;
      const opened = this.#open(level, { type: 'none' }, container);
      started ??= opened;
      level++;
      if (cursor.isBlank) return started;
    }
    const leaf = this.#leafAt(cursor, text);
    if (leaf === undefined) {
      if (started !== undefined) this.#leaf = { type: 'text' };
      return started;
    }
    const opened = this.#open(level, leaf);
    if (leaf.type === 'details' && DETAILS_END.test(text)) this.#leaf = { type: 'none' };
    return started ?? opened;
  }

  /** Consumes the marker of a container at the cursor; undefined if there is none. */
  #containerAt(cursor: LineCursor, level: number, interrupts: boolean): NewContainer | undefined {
    if (cursor.indent >= 4) return undefined;
    const { rest } = cursor;
    if (enterQuote(cursor)) return { type: 'quote' };
    const footnote = FOOTNOTE.exec(rest);
    if (footnote !== null) {
      cursor.skipIndent();
      cursor.advance(footnote[0].length);
      cursor.skipIndent();
      return { type: 'footnote', indent: 4, isEmpty: false };
    }
    const marker = THEMATIC_BREAK.test(rest) ? undefined : listMarker(rest);
    if (marker === undefined || (interrupts && !marker.interrupts)) return undefined;
    const indent = enterItem(cursor, marker);
    return { type: 'item', indent, isEmpty: marker.isEmpty, ...(level === 0 && { key: marker.key }) };
  }

  #leafAt(cursor: LineCursor, text: string): Leaf | undefined {
    const { rest } = cursor;
    // Not so in a container that this very line has begun.
    const isText = this.#leaf.type === 'text';
    if (cursor.indent >= 4) return isText ? undefined : { type: 'indented' };
    const fence = fenceStart(rest);
    if (fence !== undefined) return { type: 'fence', fence };
    if (HEADING.test(rest) || THEMATIC_BREAK.test(rest)) return { type: 'none' };
    const formulaEnd = FORMULA_ENDS.get(rest.trimEnd());
    if (formulaEnd !== undefined) return { type: 'formula', end: formulaEnd };
    if (this.#containers.length === 0 && this.#level < MARKDOWN_LIMITS.detailsMax && DETAILS_START.test(rest))
      return { type: 'details', inside: new BlockScanner(this.#nests, this.#level + 1) };
    const kind = htmlStart(rest);
    if (kind !== undefined && (kind.interrupts || !isText)) {
      return kind.end?.test(text.slice(text.indexOf('<') + 1)) ? { type: 'none' } : { type: 'html', kind };
    }
    return undefined;
  }

  /** Closes all containers from `level` on, and opens the leaf, in the new container if there is one. */
  #open(level: number, leaf: Leaf, container?: NewContainer): ScannedLine {
    this.#close(level);
    this.#leaf = leaf;
    const loose = this.#wasBlank && level === 1 && this.#containers[0]?.type === 'item' ? { loose: true as const } : {};
    if (container !== undefined) this.#containers.push(container);
    if (level > 0) return loose;
    const list = container?.type === 'item' ? container.key : undefined;
    const isItem = list !== undefined && list === this.#list;
    this.#list = list;
    if (isItem) return { item: true, ...(this.#wasBlank && { loose: true }) };
    if (list !== undefined) return { starts: 'list' };
    if (container?.type === 'footnote') return { starts: 'footnote' };
    return { starts: leaf.type === 'fence' || leaf.type === 'details' ? leaf.type : 'text' };
  }

  #close(level: number): void {
    this.#containers.length = level;
    this.#leaf = { type: 'none' };
  }
}

/** Consumes the `>` of a quote at the cursor. Returns whether there was one. */
function enterQuote(cursor: LineCursor): boolean {
  if (cursor.indent >= 4 || !cursor.rest.startsWith('>')) return false;
  cursor.skipIndent();
  cursor.advance(1);
  if (cursor.indent > 0) cursor.advanceColumns(1);
  return true;
}

import type { Block } from './block.ts';
import { BlockBuilder } from './block-builder.ts';
import { BlockScanner, type NestedFences } from './block-scanner.ts';
import { definitionsIn, footnoteLabel, type Reference, type References, withReferences } from './definitions.ts';
import { detailsOf } from './details.ts';
import { MARKDOWN_LIMITS } from './limits.ts';

/** A text as blocks. Blocks and groups that have not changed since the last `update` are the same objects. */
interface SplitText {
  /** The blocks, in groups that are rendered together. */
  groups: readonly (readonly Block[])[];
  references: References;
}

const LINE_END = /\r\n?|\n/g;

/**
 * Splits Markdown that grows at its end into blocks. Reads each line once; only the last line is read again until it is
 * complete. Each block can be rendered on its own, with the definitions to which it refers.
 */
export class BlockSplitter {
  /** The number of `details` elements around the text. */
  readonly #depth: number;
  #nests: NestedFences = 'all';
  #text = '';
  #builder = new BlockBuilder();
  /** The offset of the first line that is not complete yet. */
  #at = 0;
  #groups = new Groups();
  #references: References = { definitions: new Map(), footnotes: [] };
  /** The finished blocks whose references are not in `#references` yet. */
  #unread: Block[] = [];
  /** The `details` element whose references were read last. */
  #lastDetails: { source: string; references: References } | undefined;

  constructor(depth = 0) {
    this.#depth = depth;
  }

  /**
   * Splits the whole text as it is now into blocks, in groups that are rendered together, and collects its definitions. A
   * text that does not continue the last one is read from its beginning. If a complete text ends inside a fenced document
   * that contains fences, it is read again with fewer of those fences counted; if it ends inside a `details` element, again
   * with such tags as text.
   */
  update(text: string, isComplete = false): SplitText {
    // The only work for the whole text in each update. Engines compare such strings about as fast as they copy them.
    if (text.slice(0, this.#text.length) !== this.#text) this.#reset();
    this.#text = text;
    this.#readLines();
    const guess = this.#builder.clone();
    if (this.#at < text.length) guess.line(text, this.#at, text.length);
    if (isComplete && guess.isNested && this.#nests !== 'none') {
      this.#reset(this.#nests === 'all' ? 'labelled' : 'none');
      return this.update(text, true);
    }
    if (isComplete && guess.isInDetails) {
      this.#reset(this.#nests, MARKDOWN_LIMITS.detailsMax);
      return this.update(text, true);
    }
    // Only now, because a text that is read again would read what is inside its `details` each time.
    this.#references = this.#withReferences(this.#unread.splice(0));
    const last = guess.last(text);
    const open = last === undefined ? guess.finished : [...guess.finished, last];
    // A `details` element that is being written can be long, and grows with each chunk.
    const known = last?.type === 'details' && !isComplete ? guess.finished : open;
    return { groups: this.#groups.with(open), references: this.#withReferences(known) };
  }

  #reset(nests: NestedFences = 'all', level = 0): void {
    this.#nests = nests;
    this.#text = '';
    this.#builder = new BlockBuilder(new BlockScanner(nests, level));
    this.#at = 0;
    this.#groups = new Groups();
    this.#references = { definitions: new Map(), footnotes: [] };
    this.#unread = [];
  }

  #readLines(): void {
    LINE_END.lastIndex = this.#at;
    for (let match = LINE_END.exec(this.#text); match !== null; match = LINE_END.exec(this.#text)) {
      // A line feed may still follow.
      if (match[0] === '\r' && LINE_END.lastIndex === this.#text.length) break;
      this.#builder.line(this.#text, this.#at, match.index);
      this.#at = LINE_END.lastIndex;
    }
    const finished = this.#builder.finished.splice(0);
    this.#groups.add(finished);
    for (const block of finished) this.#unread.push(block);
  }

  /**
   * Returns the references with those that these blocks define; the same object if there are none. A label's first definition
   * counts.
   */
  #withReferences(blocks: readonly Block[]): References {
    const definitions: Reference[] = [];
    const footnotes: Reference[] = [];
    for (const block of blocks) {
      if (block.type === 'text') definitions.push(...definitionsIn(block.source));
      if (block.type === 'footnote') footnotes.push({ label: footnoteLabel(block.source), source: block.source });
      if (block.type !== 'details' || this.#depth >= MARKDOWN_LIMITS.detailsMax) continue;
      const inside = this.#referencesIn(block.source);
      for (const [label, source] of inside.definitions) definitions.push({ label, source });
      for (const footnote of inside.footnotes) footnotes.push(footnote);
    }
    if (definitions.length + footnotes.length === 0) return this.#references;
    return withReferences(this.#references, { definitions: byLabel(definitions), footnotes });
  }

  /** Returns the references in a `details` element. Keeps the last ones: they are asked for with each chunk that follows. */
  #referencesIn(source: string): References {
    if (this.#lastDetails?.source !== source) {
      const { references } = new BlockSplitter(this.#depth + 1).update(detailsOf(source).content, true);
      this.#lastDetails = { source, references };
    }
    return this.#lastDetails.references;
  }
}

/** The sources of definitions by label. The first definition of a label counts. */
const byLabel = (definitions: readonly Reference[]): Map<string, string> =>
  new Map(definitions.toReversed().map(({ label, source }) => [label, source]));

/** Divides blocks into groups. A block's group depends only on the blocks before it, so a block never moves to another one. */
class Groups {
  readonly #full: (readonly Block[])[] = [];
  #last: Block[] = [];
  #characters = 0;

  add(blocks: readonly Block[]): void {
    for (const block of blocks) {
      if (this.#last.length >= MARKDOWN_LIMITS.groupBlocks || this.#characters >= MARKDOWN_LIMITS.groupCharacters) {
        this.#full.push(this.#last);
        this.#last = [];
        this.#characters = 0;
      }
      this.#last.push(block);
      this.#characters += lengthOf(block);
    }
  }

  /** Returns the groups with these blocks added at the end, without changing them. */
  with(blocks: readonly Block[]): (readonly Block[])[] {
    const end = new Groups();
    end.#last = [...this.#last];
    end.#characters = this.#characters;
    end.add(blocks);
    return [...this.#full, ...end.#full, ...(end.#last.length > 0 ? [end.#last] : [])];
  }
}

/** About how many characters of the block are rendered at first: of a long list or table, only the first part. */
const lengthOf = (block: Block): number =>
  'parts' in block ? (block.parts[0]?.source.length ?? 0) : block.source.length;

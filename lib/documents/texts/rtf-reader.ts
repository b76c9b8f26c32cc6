import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { decodeBytes, encodingOfPage, encodingOfSet } from './rtf-encoding.ts';
import { TextWriter } from './text-writer.ts';

/** The settings of a group of braces, which end with it. */
interface Group {
  /** Whether its text is not the document's. */
  isLeftOut: boolean;
  isFontTable: boolean;
  /** Whether its text is hidden, or was deleted while changes were tracked. */
  isHidden: boolean;
  font: number | undefined;
  /** The number of characters after a `\u` that stand for it in old readers. */
  replaced: number;
}

/** Groups whose text is not the document's. Those that begin with `\*` are left out, too. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...[
    'colortbl',
    'stylesheet',
    'info',
    'pict',
    'object',
    'header',
    'headerl',
    'headerr',
    'headerf',
    'footer',
    'footerl',
  ],
  ...['footerr', 'footerf', 'listtable', 'listoverridetable', 'revtbl', 'filetbl', 'fldinst', 'themedata', 'xmlnstbl'],
  ...['ftnsep', 'ftnsepc', 'aftnsep', 'aftnsepc', 'annotation', 'atnid', 'atnauthor', 'datastore', 'nonshppict'],
]);

/** Words that stand for characters. */
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['line', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
]);

/** One token: a word with its number, a byte in hexadecimal, a symbol, a brace, or text. */
const TOKEN = /\\([a-z]{1,40})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;

/** Reads the text of an RTF file, which is given as a string with one character for each byte. */
export class RtfReader {
  readonly #source: string;
  readonly #out: TextWriter;
  readonly #outer: Group[] = [];
  #group: Group = { isLeftOut: false, isFontTable: false, isHidden: false, font: undefined, replaced: 1 };
  /** The encodings of fonts, by their numbers. */
  readonly #fonts = new Map<number, string>();
  #defaultFont = 0;
  #encoding = encodingOfPage(undefined);
  /** Bytes of text that are not decoded yet: a character may consist of several. */
  #bytes: number[] = [];
  /** The characters that are left out, because what they stand for was read. */
  #toSkip = 0;
  /** The bytes after the present token that are no text. */
  #binary = 0;
  #table: 'none' | 'in-row' | 'after-row' = 'none';

  /** `length`: the number of characters after which the rest of the text is not needed. */
  constructor(source: string, length: number = DOCUMENT_LIMITS.text) {
    this.#source = source;
    this.#out = new TextWriter(length);
  }

  /**
   * Returns the text, or a beginning of it that is longer than `length`. Throws `UnreadableDocument` if it is nested too
   * deeply.
   */
  read(): string {
    const pattern = new RegExp(TOKEN);
    for (let token = pattern.exec(this.#source); token !== null; token = pattern.exec(this.#source)) {
      const [, name, number, hex, symbol, brace, plain] = token;
      if (this.#out.isFull) break;
      if (brace === '{') this.#openGroup();
      else if (brace === '}') {
        this.#closeGroup();
        // Bytes after the document are not part of it.
        if (this.#outer.length === 0) break;
      } else if (name !== undefined) this.#word(name.toLowerCase(), number === undefined ? undefined : Number(number));
      else if (hex !== undefined) this.#text(String.fromCharCode(Number.parseInt(hex, 16)));
      else if (plain !== undefined) this.#text(plain);
      else if (symbol !== undefined) this.#symbol(symbol);
      pattern.lastIndex += this.#binary;
      this.#binary = 0;
    }
    this.#endParagraph();
    this.#endTable();
    return this.#out.text;
  }

  get #isText(): boolean {
    return !this.#group.isLeftOut && !this.#group.isFontTable;
  }

  #openGroup(): void {
    if (this.#outer.length >= DOCUMENT_LIMITS.depth)
      throw new UnreadableDocument('too-complex', 'The document is nested too deeply to be read.');
    this.#decode();
    this.#outer.push(this.#group);
    this.#group = { ...this.#group };
  }

  #closeGroup(): void {
    this.#decode();
    this.#group = this.#outer.pop() ?? this.#group;
  }

  #word(name: string, number: number | undefined): void {
    const group = this.#group;
    if (name === 'ansicpg') this.#encoding = encodingOfPage(number);
    else if (name === 'mac') this.#encoding = 'macintosh';
    else if (name === 'pc') this.#encoding = encodingOfPage(437);
    else if (name === 'pca') this.#encoding = encodingOfPage(850);
    else if (name === 'deff') this.#defaultFont = number ?? 0;
    else if (name === 'uc') group.replaced = Math.max(0, number ?? 1);
    else if (name === 'fonttbl') group.isFontTable = true;
    else if (name === 'f') {
      this.#decode();
      group.font = number;
    } else if (name === 'plain') {
      this.#decode();
      group.font = undefined;
      group.isHidden = false;
    } else if (name === 'v' || name === 'deleted') {
      group.isHidden = number !== 0;
    } else if (name === 'fcharset') {
      const own = encodingOfSet(number ?? 0);
      if (group.isFontTable && own !== undefined) this.#fonts.set(group.font ?? 0, own);
    } else if (name === 'bin') this.#binary = Math.max(0, number ?? 0);
    else if (LEFT_OUT.has(name)) group.isLeftOut = true;
    else if (this.#isText) this.#textWord(name, number);
  }

  #textWord(name: string, number: number | undefined): void {
    const character = CHARACTERS.get(name);
    if (character !== undefined) this.#add(character);
    else if (name === 'u' && number !== undefined) {
      this.#add(String.fromCharCode(number < 0 ? number + 65_536 : number));
      this.#toSkip = this.#group.replaced;
    } else if (name === 'trowd') this.#beginRow();
    else if (name === 'cell' && this.#table !== 'none') {
      this.#decode();
      this.#out.closeCell();
    } else if (name === 'row') this.#table = this.#table === 'none' ? 'none' : 'after-row';
    else if (name === 'par' || name === 'sect' || name === 'page' || name === 'cell') this.#endParagraph();
  }

  #symbol(symbol: string): void {
    if (symbol === '*') this.#group.isLeftOut = true;
    else if (symbol === '~') this.#add('\u00a0');
    else if (symbol === '_') this.#add('-');
    else if (symbol === '\n' || symbol === '\r') this.#textWord('par', undefined);
    else if ('\\{}'.includes(symbol)) this.#text(symbol);
  }

  /** Takes characters that are bytes of the document's or of the font's encoding. */
  #text(characters: string): void {
    const skipped = Math.min(this.#toSkip, characters.length);
    this.#toSkip -= skipped;
    if (!this.#isText || this.#group.isHidden || skipped === characters.length) return;
    if (this.#table === 'after-row' && characters.trim() !== '') this.#endTable();
    for (let at = skipped; at < characters.length; at++) this.#bytes.push(characters.charCodeAt(at));
  }

  #add(text: string): void {
    if (!this.#isText || this.#group.isHidden) return;
    this.#decode();
    if (this.#table === 'after-row' && text.trim() !== '') this.#endTable();
    this.#out.add(text);
  }

  #decode(): void {
    if (this.#bytes.length === 0) return;
    const encoding = this.#fonts.get(this.#group.font ?? this.#defaultFont) ?? this.#encoding;
    this.#out.add(decodeBytes(this.#bytes, encoding));
    this.#bytes = [];
  }

  #endParagraph(): void {
    this.#decode();
    if (this.#table === 'after-row') this.#endTable();
    this.#out.end();
  }

  #beginRow(): void {
    this.#decode();
    if (this.#table === 'in-row') return;
    if (this.#table === 'none') this.#out.openTable();
    this.#out.openRow();
    this.#table = 'in-row';
  }

  #endTable(): void {
    if (this.#table === 'none') return;
    this.#table = 'none';
    this.#out.closeTable();
  }
}

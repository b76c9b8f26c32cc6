/** Where the scanner is: keys of objects and indexes of arrays, outermost first. */
export type JsonPath = readonly (string | number)[];

/** What the scanner reports. A handler may throw `JsonSyntaxError` to refuse a document that is not of its form. */
export interface JsonScannerHandler {
  enter(kind: 'object' | 'array', path: JsonPath): void;
  leave(kind: 'object' | 'array', path: JsonPath): void;
  key(path: JsonPath): void;
  /** A string value begins; what follows comes as `stringChunk`s with escapes resolved. */
  stringStart(path: JsonPath): void;
  stringChunk(text: string, path: JsonPath): void;
  stringEnd(path: JsonPath): void;
  /** A number, true, false or null, as written. */
  literal(text: string, path: JsonPath): void;
}

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

type State =
  | 'value'
  | 'first-item'
  | 'after-value'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'string'
  | 'escape'
  | 'unicode'
  | 'literal'
  | 'end';

/**
 * Reads one JSON document (RFC 8259) as it arrives, whatever the pieces, and reports strings before they end.
 * Work is linear in the input; nothing is read twice.
 */
export class JsonScanner {
  #handler: JsonScannerHandler;
  #state: State = 'value';
  #stack: ('object' | 'array')[] = [];
  #path: (string | number)[] = [];
  #isKey = false;
  #text = '';
  #unicode = '';

  constructor(handler: JsonScannerHandler) {
    this.#handler = handler;
  }

  /** Whether the document is complete. */
  get done(): boolean {
    return this.#state === 'end';
  }

  get path(): JsonPath {
    return this.#path;
  }

  /**
   * Reads from `start` to the end of `chunk` or of the document, or to a pause; returns the index after the last character read.
   * Throws `JsonSyntaxError` at the first character that cannot follow; `position` is then its index.
   */
  push(chunk: string, start: number): number {
    let at = start;
    this.#paused = false;
    while (at < chunk.length && this.#state !== 'end' && !this.#paused) {
      this.position = at;
      at = this.#state === 'string' ? this.#string(chunk, at) : this.#step(chunk.charAt(at), at);
    }
    return at;
  }

  /** For a handler: makes the running `push` return after the character it is at. */
  pause(): void {
    this.#paused = true;
  }

  position = 0;
  #paused = false;

  #step(character: string, at: number): number {
    switch (this.#state) {
      case 'escape':
        this.#escape(character);
        return at + 1;
      case 'unicode':
        this.#unicodeEscape(character);
        return at + 1;
      case 'literal':
        return this.#literal(character, at);
      default:
    }
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') return at + 1;
    switch (this.#state) {
      case 'first-item':
        if (character === ']') this.#leave('array');
        else this.#value(character);
        break;
      case 'value':
        this.#value(character);
        break;
      case 'first-key':
        if (character === '}') this.#leave('object');
        else this.#key(character);
        break;
      case 'key':
        this.#key(character);
        break;
      case 'colon':
        if (character !== ':') this.#refuse(character);
        this.#state = 'value';
        break;
      default:
        this.#afterValue(character);
    }
    return at + 1;
  }

  #value(character: string): void {
    if (character === '{') this.#enter('object');
    else if (character === '[') this.#enter('array');
    else if (character === '"') {
      this.#isKey = false;
      this.#state = 'string';
      this.#handler.stringStart(this.#path);
    } else if (/[-0-9tfn]/.test(character)) {
      this.#text = character;
      this.#state = 'literal';
    } else this.#refuse(character);
  }

  #key(character: string): void {
    if (character !== '"') this.#refuse(character);
    this.#isKey = true;
    this.#text = '';
    this.#state = 'string';
  }

  #afterValue(character: string): void {
    const kind = this.#stack.at(-1);
    if (character === ',') {
      if (kind === 'array') {
        this.#path.push((this.#path.pop() as number) + 1);
        this.#state = 'value';
      } else this.#state = 'key';
    } else if (character === '}' && kind === 'object') this.#leave('object');
    else if (character === ']' && kind === 'array') this.#leave('array');
    else this.#refuse(character);
  }

  #enter(kind: 'object' | 'array'): void {
    this.#handler.enter(kind, this.#path);
    this.#stack.push(kind);
    this.#path.push(kind === 'array' ? 0 : '');
    this.#state = kind === 'array' ? 'first-item' : 'first-key';
  }

  #leave(kind: 'object' | 'array'): void {
    this.#stack.pop();
    this.#path.pop();
    this.#ended();
    this.#handler.leave(kind, this.#path);
  }

  #ended(): void {
    this.#state = this.#stack.length === 0 ? 'end' : 'after-value';
  }

  #string(chunk: string, start: number): number {
    let end = start;
    while (end < chunk.length) {
      const code = chunk.charCodeAt(end);
      if (code === 0x22 || code === 0x5c || code < 0x20) break;
      end++;
    }
    if (end > start) this.#stringText(chunk.slice(start, end));
    if (end === chunk.length) return end;
    this.position = end;
    const character = chunk.charAt(end);
    if (character === '\\') this.#state = 'escape';
    else if (character === '"') this.#stringEnd();
    else this.#refuse(character);
    return end + 1;
  }

  #stringText(text: string): void {
    if (this.#isKey) this.#text += text;
    else this.#handler.stringChunk(text, this.#path);
  }

  #stringEnd(): void {
    if (this.#isKey) {
      this.#path[this.#path.length - 1] = this.#text;
      this.#state = 'colon';
      this.#handler.key(this.#path);
    } else {
      this.#ended();
      this.#handler.stringEnd(this.#path);
    }
  }

  #escape(character: string): void {
    if (character === 'u') {
      this.#unicode = '';
      this.#state = 'unicode';
      return;
    }
    const resolved = ESCAPES.get(character);
    if (resolved === undefined) this.#refuse(character);
    this.#state = 'string';
    this.#stringText(resolved ?? '');
  }

  #unicodeEscape(character: string): void {
    if (!/[0-9a-fA-F]/.test(character)) this.#refuse(character);
    this.#unicode += character;
    if (this.#unicode.length < 4) return;
    this.#state = 'string';
    this.#stringText(String.fromCharCode(Number.parseInt(this.#unicode, 16)));
  }

  #literal(character: string, at: number): number {
    if (/[-+.0-9a-zA-Z]/.test(character)) {
      this.#text += character;
      return at + 1;
    }
    if (!LITERAL.test(this.#text)) this.#refuse(character);
    this.#ended();
    this.#handler.literal(this.#text, this.#path);
    return at;
  }

  #refuse(character: string): never {
    throw new JsonSyntaxError(`unexpected ${JSON.stringify(character)}`);
  }
}

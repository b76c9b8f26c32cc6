import { type Options, Parser, type Program } from 'acorn';

declare module 'acorn' {
  /** The part of the parser that keeps the names in scopes. Plugins can use it, but the parser's types omit it. */
  interface Parser {
    start: number;
    scopeStack: { var: string[]; lexical: string[]; functions: string[] }[];
    enterScope(flags: number): void;
    validateRegExpPattern(state: unknown): void;
    raise(pos: number, message: string): never;
  }
}

/** The maximum depth of nested blocks and functions: a name is looked for in each of those around it. */
const SCOPES_MAX = 200;

/** The most names that all scopes of a file may have together: a `var` is a name of every block around it. */
const NAMES_MAX = 200_000;

/** A list of names in which `indexOf` is fast, however many they are: it only tells whether a name is there (0) or not (-1). */
class Names extends Array<string> {
  readonly #known = new Set<string>();
  readonly #onName: () => void;

  constructor(onName: () => void) {
    super();
    this.#onName = onName;
  }

  override push(...names: string[]): number {
    for (const name of names) {
      this.#onName();
      this.#known.add(name);
    }
    return super.push(...names);
  }

  override indexOf(name: string): number {
    return this.#known.has(name) ? 0 : -1;
  }
}

/**
 * A parser for files that nobody has checked yet: the time it takes is bounded by their length. It does not check regular
 * expressions; a wrong one is an error when the tool runs.
 */
const SafeParser = Parser.extend(
  (Base) =>
    class extends Base {
      #names = 0;

      override enterScope(flags: number): void {
        if (this.scopeStack.length >= SCOPES_MAX) this.raise(this.start, 'Blocks are nested too deeply');
        super.enterScope(flags);
        const scope = this.scopeStack.at(-1);
        const count = () => {
          if (++this.#names > NAMES_MAX) this.raise(this.start, 'Too many names are declared in nested blocks');
        };
        if (scope !== undefined)
          Object.assign(scope, { var: new Names(count), lexical: new Names(count), functions: new Names(count) });
      }

      override validateRegExpPattern(): void {}
    },
);

/**
 * Parses JavaScript in bounded time, without checking its regular expressions. Throws `SyntaxError` with the position as
 * `pos`, also for code that is nested too deeply.
 */
export const parseProgram = (source: string, options: Options): Program => SafeParser.parse(source, options);

import { PARSER_LIMITS } from '../limits.ts';
import type { Reading, Source } from '../source.ts';

/** An XML-like tag as models write them. DeepSeek V3.2 puts `｜DSML｜` before the name. */
export interface Tag {
  /** The tag's name in lower case, without a namespace. */
  name: string;
  /** Whether it is a closing tag, as in `</invoke>`. */
  isClosing: boolean;
  /** Whether it is self-closing, as in `<invoke name="N"/>`. */
  isEmpty: boolean;
  /** The text after the name and `=`, as in `<function=N>`; undefined if there is none. */
  value: string | undefined;
  /** The values of the attributes, by their names in lower case. */
  attributes: ReadonlyMap<string, string>;
}

const isNameCharacter = (character: string): boolean => /[\w:.-]/.test(character);

/** Reads a tag at its `<`; undefined, with nothing read, if there is none. */
export function* readTag(source: Source): Reading<Tag | undefined> {
  const start = source.hold();
  const tag = yield* tagAt(source);
  if (tag === undefined || source.position - start.position > PARSER_LIMITS.tag) {
    source.rewind(start);
    return undefined;
  }
  source.release(start);
  return tag;
}

function* tagAt(source: Source): Reading<Tag | undefined> {
  source.at++;
  const isClosing = yield* source.accept('/');
  if (yield* source.accept('｜DSML｜')) yield* source.accept(' ');
  const written = yield* source.readWhile(isNameCharacter, PARSER_LIMITS.name);
  if (written === undefined || !/^[a-z_]/i.test(written)) return undefined;
  const name = written.slice(written.lastIndexOf(':') + 1).toLowerCase();
  const tag = { name, isClosing, isEmpty: false, value: undefined, attributes: new Map<string, string>() };
  if (yield* source.accept('=')) {
    const value = yield* source.readWhile((character) => !/[<>\n]/.test(character), PARSER_LIMITS.name);
    if (value === undefined || !(yield* source.accept('>'))) return undefined;
    const attributes = attributesIn(value);
    if (attributes !== undefined) return { ...tag, isEmpty: /\/\s*$/.test(value), attributes };
    return { ...tag, value: unquoted(value) };
  }
  for (;;) {
    const next = yield* source.skipSpace(PARSER_LIMITS.space);
    if (next === '>') {
      source.at++;
      return tag;
    }
    if (next === '/') {
      source.at++;
      tag.isEmpty = true;
      continue;
    }
    const key = yield* source.readWhile(isNameCharacter, PARSER_LIMITS.name);
    if (key === undefined || key === '' || (yield* source.skipSpace(PARSER_LIMITS.space)) !== '=') return undefined;
    source.at++;
    yield* source.skipSpace(PARSER_LIMITS.space);
    const value = yield* attributeValue(source);
    if (value === undefined) return undefined;
    tag.attributes.set(key.toLowerCase(), value);
  }
}

function* attributeValue(source: Source): Reading<string | undefined> {
  const quote = yield* source.peek();
  if (quote !== '"' && quote !== "'")
    return yield* source.readWhile((character) => !/[\s<>]/.test(character), PARSER_LIMITS.name);
  source.at++;
  const value = yield* source.readWhile((character) => character !== quote && character !== '<', PARSER_LIMITS.name);
  return value !== undefined && (yield* source.accept(quote)) ? value : undefined;
}

/** Attributes in the place of a tag's value, as in `<parameter=path="/a" limit="5"/>`; undefined if there are none. */
function attributesIn(value: string): ReadonlyMap<string, string> | undefined {
  if (!/^(?:\s*[\w.-]+\s*=\s*(?:"[^"]*"|'[^']*'))+\s*\/?\s*$/.test(value)) return undefined;
  const pairs = value.matchAll(/([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map(Array.from(pairs, ([, key = '', double, single]) => [key.toLowerCase(), double ?? single ?? '']));
}

const unquoted = (value: string): string => value.trim().replace(/^(["'])(.*)\1$/, '$2');

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/**
 * Replaces entities, such as `&quot;` and `&#10;`, in the text of an attribute by their characters: otherwise, it could contain
 * no quotes, angle brackets, or line breaks. Leaves unknown entities as they are.
 */
export const withoutEntities = (value: string): string =>
  value.replace(/&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (entity, name, decimal, hex) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });

/**
 * Checks whether nothing follows but white space, special tokens, and closing tags for which `isCloser` returns true, up to the
 * end of the text or to an opening tag for which `begins` returns true. Advances the source; the caller rewinds it.
 */
export function* onlyClosersFollow(
  source: Source,
  isCloser: (tag: Tag) => boolean,
  begins: (tag: Tag) => boolean = () => false,
): Reading<boolean> {
  for (;;) {
    const next = yield* source.skipSpace(PARSER_LIMITS.space);
    if (next === '') return true;
    if (next !== '<') return false;
    const tag = yield* readTag(source);
    if (tag?.isClosing === false) return begins(tag);
    if (tag === undefined ? (yield* readToken(source)) === undefined : !isCloser(tag))
      return tag === undefined && source.ranOut;
  }
}

/**
 * Reads a special token such as `<|im_end|>` at its `<`; undefined, with nothing read, if there is none. Returns the token's
 * name, with `_` for `▁`. If only one end of the token has a bar, the name includes the bracket of the other end: `tool_call>`
 * for `<|tool_call>`, and `<tool_call` for `<tool_call|>`.
 */
export function* readToken(source: Source): Reading<string | undefined> {
  const start = source.hold();
  source.at++;
  // Gemma's closing tokens have their bar at the other end.
  const opensWithBar = /[|｜]/.test(yield* source.peek());
  if (opensWithBar) source.at++;
  const name = yield* source.readWhile((character) => /[\w▁ /"-]/.test(character), 40);
  const closesWithBar = name !== undefined && name !== '' && /[|｜]/.test(yield* source.peek());
  if (closesWithBar) source.at++;
  if (name === undefined || name === '' || !(opensWithBar || closesWithBar) || !(yield* source.accept('>'))) {
    source.rewind(start);
    return undefined;
  }
  source.release(start);
  const plain = name.replaceAll('▁', '_');
  return opensWithBar ? (closesWithBar ? plain : `${plain}>`) : `<${plain}`;
}

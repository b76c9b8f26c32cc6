/** Closing quotes by their opening quotes. */
const CLOSING = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['‘', '’'],
  ['”', '”'],
  ['＂', '＂'],
]);

/** JSON's syntax characters as Chinese input methods write them. */
const WIDE = new Map([
  ['：', ':'],
  ['，', ','],
  ['｛', '{'],
  ['｝', '}'],
  ['［', '['],
  ['］', ']'],
  ['【', '['],
  ['】', ']'],
]);

/** Checks whether a character may open a string. */
export const isQuote = (character: string): boolean => CLOSING.has(character);

/** Returns the quote that closes a string opened by this one; any other character is returned as is. */
export const closingQuote = (opening: string): string => CLOSING.get(opening) ?? opening;

/** Checks whether a character is a full-width variant of JSON syntax, such as `：`, as Chinese input methods write it. */
export const isWide = (character: string): boolean => WIDE.has(character);

/**
 * Returns the ASCII variant of a full-width character of JSON syntax, such as `:` for `：`; any other character is returned
 * as is.
 */
export const narrow = (character: string): string => WIDE.get(character) ?? character;

/** Returns JSON text with ASCII syntax: full-width characters and other quotes are replaced, except inside strings. */
export function withNarrowSyntax(text: string): string {
  const pieces: string[] = [];
  let opening = '';
  /** The number of pairs of the string's own quotation marks, such as “ and ”, that are open inside the string. */
  let inner = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (opening === '') {
      if (isQuote(character)) opening = character;
      pieces.push(opening === '' ? narrow(character) : '"');
    } else if (character === '\\') {
      pieces.push(character, text.charAt(++index));
    } else if (character === closingQuote(opening) && inner === 0) {
      opening = '';
      pieces.push('"');
    } else {
      if (closingQuote(opening) !== opening) {
        if (character === opening) inner++;
        else if (character === closingQuote(opening)) inner--;
      }
      pieces.push(character === '"' ? '\\"' : character === '\n' ? '\\n' : character);
    }
  }
  return pieces.join('');
}

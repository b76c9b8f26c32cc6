/** What closes a string that such a character opens. */
const CLOSING = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['‘', '’'],
  ['”', '”'],
  ['＂', '＂'],
]);

/** JSON's own characters as Chinese input methods write them. */
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

export const isQuote = (character: string): boolean => CLOSING.has(character);

/** The quote that closes a string; for any other character, itself. */
export const closingQuote = (opening: string): string => CLOSING.get(opening) ?? opening;

/** Whether a character is JSON's syntax in full width. */
export const isWide = (character: string): boolean => WIDE.has(character);

/** The character of JSON's syntax that this one stands for, outside of strings; any other is what it is. */
export const narrow = (character: string): string => WIDE.get(character) ?? character;

/** JSON with ASCII syntax: full-width characters and other quotes are replaced, but for those inside strings. */
export function withNarrowSyntax(text: string): string {
  const pieces: string[] = [];
  let opening = '';
  /** Pairs of quotes that a string in such quotes holds, and has not closed. */
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

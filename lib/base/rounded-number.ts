/** Matches texts that may have an integer that JavaScript cannot hold exactly. Most texts have no number of that length. */
const LONG = /\d{16}/;

/** Matches the quotation mark with which a string of JSON begins, or a number. */
const TOKENS = /"|-?\d[\d.eE+-]*/g;

/**
 * The first integer in a JSON text that JavaScript cannot hold exactly, as it is written; undefined if there is none.
 * JavaScript holds all integers up to 2 ** 53, and rounds some beyond.
 */
export function roundedNumber(json: string): string | undefined {
  for (const { token } of roundedNumbers(json)) return token;
  return undefined;
}

/**
 * Returns a JSON text in which each integer that JavaScript cannot hold exactly is a string of its digits. The text may be cut
 * off.
 */
export function withExactNumbers(json: string): string {
  const pieces: string[] = [];
  let end = 0;
  for (const { index, token } of roundedNumbers(json)) {
    pieces.push(json.slice(end, index), `"${token}"`);
    end = index + token.length;
  }
  return end === 0 ? json : pieces.join('') + json.slice(end);
}

/**
 * Yields each integer of a JSON text that JavaScript cannot hold exactly, and its offset; not those in strings. A text may be
 * as long as a response.
 */
function* roundedNumbers(json: string): Generator<{ index: number; token: string }> {
  if (!LONG.test(json)) return;
  const tokens = new RegExp(TOKENS);
  for (let found = tokens.exec(json); found !== null; found = tokens.exec(json)) {
    const [token] = found;
    if (token === '"') tokens.lastIndex = endOfString(json, tokens.lastIndex);
    else if (isRounded(token)) yield { index: found.index, token };
  }
}

/**
 * The offset behind the quotation mark that ends a string of JSON; the end of the text if the string is cut off. `start`: the
 * offset of the string's first character.
 */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (quote - escapes > start && json[quote - escapes - 1] === '\\') escapes++;
    if (escapes % 2 === 0) return quote + 1;
  }
  return json.length;
}

function isRounded(token: string): boolean {
  const digits = token.startsWith('-') ? token.slice(1) : token;
  return digits.length >= 16 && !/\D/.test(digits) && !isExact(token);
}

/** Checks whether JavaScript holds an integer as it is written. Numbers of more than 308 digits are infinite to it. */
const isExact = (digits: string): boolean =>
  Number.isFinite(Number(digits)) && BigInt(digits) === BigInt(Number(digits));

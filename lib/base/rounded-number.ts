/** A string of JSON, also one that is cut off, or a number. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;

/** Matches texts that may have an integer that JavaScript cannot hold. Most have no number of that length. */
const LONG = /\d{16}/;

/**
 * The first integer in a JSON text that JavaScript cannot hold, as it is written; undefined if there is none. JavaScript holds
 * all integers up to 2 ** 53, and rounds some beyond.
 */
export function roundedNumber(json: string): string | undefined {
  if (!LONG.test(json)) return undefined;
  for (const [token] of json.matchAll(TOKENS)) if (isRounded(token)) return token;
  return undefined;
}

/** A JSON text, also one that is cut off, in which integers that JavaScript cannot hold are strings of their digits. */
export const withExactNumbers = (json: string): string =>
  LONG.test(json) ? json.replace(TOKENS, (token) => (isRounded(token) ? `"${token}"` : token)) : json;

const isRounded = (token: string): boolean => /^-?\d{16,}$/.test(token) && !isExact(token);

/** Checks whether JavaScript holds an integer as it is written. Numbers of more than 308 digits are infinite to it. */
const isExact = (digits: string): boolean =>
  Number.isFinite(Number(digits)) && BigInt(digits) === BigInt(Number(digits));

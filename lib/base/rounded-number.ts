/** A string of JSON, or a number. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;

/**
 * The first integer in a JSON text that JavaScript cannot hold, as it is written; undefined if there is none. JavaScript holds
 * all integers up to 2 ** 53, and rounds some beyond.
 */
export function roundedNumber(json: string): string | undefined {
  // Most texts have no number of that length.
  if (!/\d{16}/.test(json)) return undefined;
  for (const [token] of json.matchAll(TOKENS)) if (/^-?\d{16,}$/.test(token) && !isExact(token)) return token;
  return undefined;
}

/** Checks whether JavaScript holds an integer as it is written. Numbers of more than 308 digits are infinite to it. */
const isExact = (digits: string): boolean =>
  Number.isFinite(Number(digits)) && BigInt(digits) === BigInt(Number(digits));

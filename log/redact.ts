/** Matches names of variables whose values are secrets. Others are marked with `markSecret`. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD)$/;
const markedNames = new Set<string>();
const SECRET_SHAPES = [
  /\bsk-[A-Za-z0-9_-]{8,}/g,
  /\b(?:xai|gsk|AIza)[A-Za-z0-9_-]{16,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /([?&](?:key|api_key|token)=)[^&\s"]+/gi,
  /(:\/\/[^:/@\s]*:)[^@/\s]+(?=@)/g,
];
const SHORTEST_SECRET = 6;

/**
 * Marks the value of an environment variable as a secret, whatever the variable's name, so that `redact` removes it from
 * texts.
 */
export function markSecret(name: string): void {
  markedNames.add(name);
}

/**
 * Returns the text with `[redacted]` in place of secrets: the values, unless they are very short, of the variables in `env`
 * whose names say that they are secret, or that `markSecret` has marked, and anything that looks like a key (rule R18).
 */
export function redact(text: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const secrets = Object.entries(env)
    .filter(([name]) => SECRET_NAME.test(name) || markedNames.has(name))
    .map(([, value]) => value?.trim() ?? '')
    .filter((value) => value.length >= SHORTEST_SECRET)
    // Longest first, because one secret may be the prefix of another.
    .sort((a, b) => b.length - a.length);
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
  for (const shape of SECRET_SHAPES)
    clean = clean.replace(shape, (_, lead: unknown) => `${typeof lead === 'string' ? lead : ''}[redacted]`);
  return clean;
}

/** Returns the text with `[redacted]` in place of `key`, which came with a request, so that `redact` does not know it. */
export const withoutKey = (text: string, key: string | undefined): string =>
  key === undefined || key === '' ? text : text.replaceAll(key, '[redacted]');

/**
 * Splits a path to a part of a value into names and indexes: one such as `data.items[0]`, or `/data/items/0` as JSON Pointer
 * (RFC 6901).
 */
function stepsOf(path: string): string[] {
  if (path.startsWith('/'))
    return path
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return path
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter((step) => step !== '');
}

/** Returns the part of a value at a path, such as `data.items[0]` or `/data/items/0`; undefined if there is none. */
export function partAt(value: unknown, path: string): unknown {
  let at = value;
  for (const step of stepsOf(path)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    // A list also has a length.
    if (Array.isArray(at) && !/^\d+$/.test(step)) return undefined;
    at = (at as { readonly [key: string]: unknown })[step];
  }
  return at;
}

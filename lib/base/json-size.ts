/** The maximum size of a JSON value. */
interface JsonSize {
  /** Levels of objects and lists. */
  depth: number;
  /** Values, objects and lists included. */
  values: number;
}

/**
 * Returns the name of the limit that a JSON value exceeds: `depth`, the levels of objects and lists, or `values`, the number of
 * all values in it. Undefined if it exceeds neither. Not recursive, so that deeply nested values cannot exhaust the stack.
 */
export function excessOf(value: unknown, { depth, values }: JsonSize): keyof JsonSize | undefined {
  let layer: unknown[] = [value];
  let count = 0;
  for (let level = 0; layer.length > 0; level++) {
    count += layer.length;
    if (count > values) return 'values';
    if (level > depth) return 'depth';
    layer = layer.flatMap((entry) => (typeof entry === 'object' && entry !== null ? Object.values(entry) : []));
  }
  return undefined;
}

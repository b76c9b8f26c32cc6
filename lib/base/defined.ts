/** The type of an object that `defined` returns: properties whose value may be undefined are optional instead. */
type Defined<T extends object> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/**
 * Returns a copy of an object literal without the properties whose value is undefined. For types whose optional properties may
 * be absent, but not undefined.
 */
export function defined<T extends object>(properties: T): Defined<T> {
  // A loop: it takes a tenth of the time that `Object.entries` does, and replies are put together with this.
  const kept: { [Key in keyof T]?: unknown } = {};
  for (const key in properties) if (properties[key] !== undefined) kept[key] = properties[key];
  return kept as Defined<T>;
}

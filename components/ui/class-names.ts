/** Joins class names, leaving out false, undefined, and empty ones. */
export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(' ');

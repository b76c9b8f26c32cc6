/** A line for the model: rules protect `left` files, which were not `done` (such as “searched”). None if `left` is undefined. */
export const protectedNote = (left: number | undefined, done: string): string[] =>
  left === undefined
    ? []
    : [`[Not ${done}: ${left === 1 ? '1 file or folder' : `${left} files or folders`} protected by the user’s rules.]`];

/**
 * Returns a list with one line, which tells the model how many files and folders were left out because the user's rules protect
 * them; an empty list if `left`, their number, is undefined. `done`: the participle for what was not done, such as “searched”.
 */
export const protectedNote = (left: number | undefined, done: string): string[] =>
  left === undefined
    ? []
    : [`[Not ${done}: ${left === 1 ? '1 file or folder' : `${left} files or folders`} protected by the user’s rules.]`];

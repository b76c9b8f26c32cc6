/**
 * Returns a line that tells the model that the user's rules protect `left` paths, which were not `done` (“searched”, for
 * example); an empty list if `left` is undefined.
 */
export const protectedNote = (left: number | undefined, done: string): string[] =>
  left === undefined
    ? []
    : [`[Not ${done}: ${left === 1 ? '1 file or folder' : `${left} files or folders`} protected by the user’s rules.]`];

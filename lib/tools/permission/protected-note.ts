/** Tells the model what a result lacks because of the user's rules about paths; nothing if it has everything. */
export const protectedNote = (left: number | undefined, done: string): string[] =>
  left === undefined
    ? []
    : [`[Not ${done}: ${left === 1 ? '1 file or folder' : `${left} files or folders`} protected by the user’s rules.]`];

/** Tells the model that `left` paths were not `done`, such as “searched”, because of rules; nothing if `left` is undefined. */
export const protectedNote = (left: number | undefined, done: string): string[] =>
  left === undefined
    ? []
    : [`[Not ${done}: ${left === 1 ? '1 file or folder' : `${left} files or folders`} protected by the user’s rules.]`];

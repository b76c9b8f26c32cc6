/**
 * Lets this process go on when nobody reads what it prints any more: a terminal was closed, or the program at the other
 * end of a pipe has ended. Otherwise each line would be an error, which handlers of errors print, and so on.
 */
export function surviveBrokenOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/**
 * Ignores errors of stdout and stderr, so that this process goes on when nobody reads its output any more: the terminal was
 * closed, or the program at the other end of a pipe has ended. Otherwise, each printed line would cause an error, which
 * would be printed in turn.
 */
export function surviveBrokenOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Matches what Mermaid removes before it parses: front matter, comments, and directives. */
const REMOVED = /^-{3}\s*\n[\s\S]*?\n-{3}\s*\n+|^[ \t]*%%(?!\{)[^\n]*\n?|%%\{[\s\S]*?\}%%[ \t]*\n?/gm;

/**
 * Converts the line that Mermaid's parser names in an error to the line in the source, from 1. They differ because Mermaid
 * removes front matter, comments, and directives before it parses.
 */
export function writtenLine(source: string, line: number): number {
  // Spaces keep the places of the other lines; blank lines at the beginning are removed, too.
  const kept = source.replaceAll('\r\n', '\n').replace(REMOVED, (removed) => removed.replaceAll('\n', '\0\n'));
  const lines = kept.split('\n');
  const isRemoved = (text: string): boolean => text.includes('\0');
  let count = 0;
  for (const [index, text] of lines.entries()) {
    if (isRemoved(text) || (count === 0 && text.trim() === '')) continue;
    if (++count === line) return index + 1;
  }
  return Math.min(line, lines.length);
}

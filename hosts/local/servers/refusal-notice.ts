import type { RefusedTool } from '#lib/tools/catalogue/external-definition.ts';

/** The most tools that a notice names. */
const NAMED_MAX = 5;

/**
 * Returns a notice that tells the person which tools of a source are not offered, and why. `source`: the source in words.
 */
export function refusalNotice(source: string, refused: readonly RefusedTool[]): string {
  const named = refused.slice(0, NAMED_MAX).map(({ name, reason }) => `${name} (${reason})`);
  const more = refused.length > NAMED_MAX ? ` and ${refused.length - NAMED_MAX} more` : '';
  return `${source} has tools that are not offered: ${named.join(', ')}${more}`;
}

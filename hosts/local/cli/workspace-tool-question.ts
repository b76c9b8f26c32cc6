import type { FoundWorkspaceTool } from '#lib/sources/workspace-tools/find-workspace-tools.ts';
import { shownPath } from '../workspace-tools/workspace-tools.ts';
import { colored, diffOf, WHOLE } from './diff-view.ts';
import type { Lines } from './lines.ts';
import { escapeInvisible, type Output, styled } from './terminal.ts';
import { askYesNo } from './yes-no.ts';

/** The number of lines above which the question is repeated below them. */
const LINES_MAX = 10;

/**
 * Asks whether the model may use a workspace tool, which a file of the folder defines. Shows the file, or the changes since
 * `before`, its content that the person allowed last. Resolves with undefined if the input ends. Rejects with the signal's
 * reason if it fires.
 */
export function askAboutWorkspaceTool(
  place: { reader: Pick<Lines, 'question'>; output: Output },
  found: FoundWorkspaceTool,
  before: string | undefined,
  abortSignal: AbortSignal,
): Promise<boolean | undefined> {
  showWorkspaceTool(place.output, found, before);
  return askYesNo(place, '[y] Allow it as it is · [n] Leave it out', abortSignal);
}

/** Shows the file that defines a workspace tool or, with `before`, the changes since that content. */
export function showWorkspaceTool(output: Output, { tool }: FoundWorkspaceTool, before: string | undefined): void {
  const { name, path, effect, source } = tool;
  const title = `May the model use ${name}, a tool of this folder?`;
  output.write(`${styled(output, 'yellow', '?')} ${styled(output, 'bold', title)}\n`);
  output.write(
    `${shownPath(path)} ${effect === 'read' ? 'says that it only reads.' : 'runs code, and each call asks.'}\n`,
  );
  const text = escapeInvisible(source.trimEnd());
  const diff = before === undefined ? undefined : diffOf(escapeInvisible(before), escapeInvisible(source));
  if (before !== undefined) output.write(`${styled(output, 'yellow', 'It has changed since you allowed it:')}\n`);
  const lines = (diff === undefined ? text : colored(output, diff, WHOLE)).split('\n');
  for (const line of lines) output.write(`${styled(output, 'dim', '│')} ${line}\n`);
  if (lines.length > LINES_MAX) output.write(`${styled(output, 'bold', title)} (${lines.length} lines)\n`);
}

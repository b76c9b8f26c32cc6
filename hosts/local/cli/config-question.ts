import type { ConfigQuestion } from '../trust/open-config.ts';
import { colored, diffOf, WHOLE } from './diff-view.ts';
import type { Lines } from './lines.ts';
import { escapeInvisible, type Output, styled } from './terminal.ts';
import { askYesNo } from './yes-no.ts';

/**
 * Shows a folder's configuration, and asks whether the person trusts it, so that it may allow what it says. Resolves with
 * undefined if the input ends.
 */
export function askAboutConfig(
  place: { reader: Pick<Lines, 'question'>; output: Output },
  question: ConfigQuestion,
): Promise<boolean | undefined> {
  showConfig(place.output, question);
  return askYesNo(place, '[y] Trust it as it is · [n] Go on without what it allows');
}

/** Shows a configuration, or what has changed in it since it was trusted, and what it allows. */
export function showConfig(output: Output, { shown, text, before, allows }: ConfigQuestion): void {
  output.write(
    `${styled(output, 'yellow', '?')} ${styled(output, 'bold', 'Do you trust the configuration of this folder?')}\n`,
  );
  if (before !== undefined) output.write(`${styled(output, 'yellow', 'It has changed since you trusted it:')}\n`);
  const diff = before === undefined ? undefined : diffOf(escapeInvisible(before), escapeInvisible(text));
  // Nothing is left out: the person decides about all of it.
  const lines = diff === undefined ? escapeInvisible(text.trimEnd()) : colored(output, diff, WHOLE);
  for (const line of lines.split('\n')) output.write(`${styled(output, 'dim', '│')} ${line}\n`);
  output.write(`${escapeInvisible(shown)} lets the model:\n`);
  for (const allowed of allows) output.write(`  - ${escapeInvisible(allowed)}\n`);
}

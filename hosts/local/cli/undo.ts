import { createInterface } from 'node:readline/promises';
import { LocalFolder } from '../local-folder.ts';
import type { Arguments } from './arguments.ts';
import { diffsOf } from './call-diffs.ts';
import { colored } from './diff-view.ts';
import { EXIT, UsageError } from './exit-codes.ts';
import { harmless, type Output, outputOf, shownName, styled } from './terminal.ts';

/**
 * Undoes the changes of the latest turn that changed files in the folder, if the person agrees; the conversation stays. A turn
 * that was undone before does not count. Resolves with the exit code. Rejects with errors whose messages are for people.
 */
export async function undo(given: Arguments, directory: string): Promise<number> {
  const { stdin, stderr, env } = process;
  const output = outputOf(stderr, env);
  const canAsk = stdin.isTTY && stderr.isTTY;
  if (!canAsk && !given.isYes)
    throw new UsageError(
      'Nobody can be asked here whether to undo the last turn. Use --yes to undo it without a question.',
    );
  const folder = await LocalFolder.open({
    ...given,
    directory,
    env,
    onNotice: (text) => output.write(`${harmless(text)}\n`),
    saysWithheld: false,
  });
  try {
    const reader = given.isYes ? undefined : createInterface({ input: stdin, output: stderr });
    const mayGoOn = async () =>
      reader === undefined || /^y(es)?$/i.test((await reader.question('Undo this? [y/n] ')).trim());
    try {
      return (await undoLatest(folder, output, { isPartial: given.isPartial, partial: '--partial', mayGoOn }))
        ? EXIT.done
        : EXIT.failed;
    } finally {
      reader?.close();
    }
  } finally {
    await folder.close();
  }
}

/** Options of `undoLatest`. */
interface UndoOptions {
  /** Whether to undo the changes that can be undone, even if others cannot. */
  isPartial: boolean;
  /** The option or command with which the person asks for a partial undo, such as `--partial`. */
  partial: string;
  /** Asks whether to undo the changes, which were shown before. */
  mayGoOn(): Promise<boolean>;
}

/**
 * Shows what undoing the latest turn that changed files would change, asks with `mayGoOn`, and undoes it. Resolves with
 * whether it was undone: not if there is nothing to undo, if the person does not agree, or if a part cannot be undone and
 * `isPartial` is not set. `partial`: the option or command for undoing the rest, which a message then names.
 */
export async function undoLatest(
  folder: LocalFolder,
  output: Output,
  { isPartial, partial, mayGoOn }: UndoOptions,
): Promise<boolean> {
  const { planUndo, UndoError, undoTurn } = await import('#lib/workspace/journal/undo.ts');
  try {
    await folder.recover();
    const { turn, changes, settled, obstacle, uncovered } = await planUndo(folder.journal, folder.place);
    const what = `${styled(output, 'bold', harmless(turn.prompt))} (${new Date(turn.at).toLocaleString()})`;
    if (obstacle !== undefined && !isPartial) {
      const hint =
        changes.length + settled.length === 0
          ? `To go on to the turn before this one, use ${partial}.`
          : `Everything else can be undone with ${partial}.`;
      output.write(`${what}\n${harmless(obstacle.message)} ${hint}\n`);
      return false;
    }
    output.write(`${what}\n`);
    const back = changes.map(({ path, before, after }) => ({ path, before: after, after: before }));
    for (const { path, type, diff } of diffsOf(folder, back.slice(0, SHOWN_MAX))) {
      output.write(`${styled(output, 'dim', `${shownName(path)} (${type})`)}\n`);
      if (diff !== '') output.write(`${colored(output, diff)}\n`);
    }
    if (back.length > SHOWN_MAX) output.write(`${styled(output, 'dim', `… and ${back.length - SHOWN_MAX} more`)}\n`);
    if (uncovered.length > 0)
      output.write(`Not covered (ignored by git, or git’s own): ${shownName(shortList(uncovered))}.\n`);
    if (changes.length > 0 && !(await mayGoOn())) return false;
    const { paths } = await undoTurn(folder.journal, folder.place, { turnId: turn.id, isPartial });
    const done = paths.length + settled.length;
    output.write(`Undone: ${done === 1 ? '1 path is' : `${done} paths are`} as before.\n`);
    if (obstacle !== undefined) output.write(`Not undone: ${shownName(shortList(obstacle.paths))}.\n`);
    return true;
  } catch (error) {
    if (!(error instanceof UndoError)) throw error;
    output.write(`${harmless(error.message)}\n`);
    return false;
  }
}

/** The maximum number of changes that are shown. */
const SHOWN_MAX = 50;
/** The maximum number of paths that a message names. */
const NAMED_MAX = 10;

const shortList = (paths: readonly string[]): string =>
  paths.slice(0, NAMED_MAX).join(', ') + (paths.length > NAMED_MAX ? `, and ${paths.length - NAMED_MAX} more` : '');

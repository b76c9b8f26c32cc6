import { createInterface } from 'node:readline/promises';
import { LocalFolder } from '../local-folder.ts';
import type { Arguments } from './arguments.ts';
import { diffsOf } from './call-diffs.ts';
import { colored } from './diff-view.ts';
import { EXIT } from './exit-codes.ts';
import { harmless, type Output, outputOf, styled } from './terminal.ts';

/** Undoes the last turn. Resolves with the exit code. Rejects with errors whose messages are for people. */
export async function undo(given: Arguments, directory: string): Promise<number> {
  const { stdin, stderr, env } = process;
  const output = outputOf(stderr, env);
  const folder = await LocalFolder.open({ ...given, directory, env, onNotice: (text) => output.write(`${text}\n`) });
  try {
    const reader =
      stdin.isTTY && stderr.isTTY && !given.isYes ? createInterface({ input: stdin, output: stderr }) : undefined;
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

/** How the last turn is undone. */
export interface UndoOptions {
  /** Whether only what can be undone is. */
  isPartial: boolean;
  /** What the person writes for that. */
  partial: string;
  /** Asks whether to do it, after it was shown. */
  mayGoOn(): Promise<boolean>;
}

/** Undoes the last turn after showing what that means. Resolves with whether it was undone. */
export async function undoLatest(
  folder: LocalFolder,
  output: Output,
  { isPartial, partial, mayGoOn }: UndoOptions,
): Promise<boolean> {
  const { planUndo, UndoError, undoTurn } = await import('#lib/journal/undo.ts');
  try {
    await folder.recover();
    const { turn, changes, obstacle } = await planUndo(folder.journal, folder.place);
    if (obstacle !== undefined && (!isPartial || changes.length === 0)) {
      const hint = changes.length === 0 ? '' : ` Everything else can be undone with ${partial}.`;
      output.write(`${harmless(obstacle.message)}${hint}\n`);
      return false;
    }
    output.write(`${styled(output, 'bold', harmless(turn.prompt))} (${new Date(turn.at).toLocaleString()})\n`);
    const back = changes.map(({ path, before, after }) => ({ path, before: after, after: before }));
    for (const { path, diff } of diffsOf(folder, back)) {
      output.write(`${styled(output, 'dim', harmless(path))}\n`);
      if (diff !== '') output.write(`${colored(output, diff)}\n`);
    }
    if (!(await mayGoOn())) return false;
    const { paths } = await undoTurn(folder.journal, folder.place, { turnId: turn.id, isPartial });
    output.write(`Undone: ${paths.length === 1 ? '1 path is' : `${paths.length} paths are`} as before.\n`);
    return true;
  } catch (error) {
    if (!(error instanceof UndoError)) throw error;
    output.write(`${harmless(error.message)}\n`);
    return false;
  }
}

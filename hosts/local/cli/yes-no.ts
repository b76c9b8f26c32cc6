import { createInterface } from 'node:readline/promises';
import { dropTyped, type Lines } from './lines.ts';
import { type Output, styled } from './terminal.ts';

const NEVER = new AbortController().signal;

/**
 * Asks until the answer is `y` or `n`. `choices`: these letters with their meaning. Resolves with undefined if the input
 * ends. Rejects with the signal's reason if it fires.
 */
export async function askYesNo(
  { reader, output }: { reader: Pick<Lines, 'question'>; output: Output },
  choices: string,
  signal: AbortSignal = NEVER,
): Promise<boolean | undefined> {
  output.write(`${styled(output, 'dim', choices)}\n`);
  for (;;) {
    const answer = (await reader.question('> ', { signal }))?.trim().toLowerCase();
    if (answer === undefined) return undefined;
    if (['y', 'yes'].includes(answer)) return true;
    if (['n', 'no'].includes(answer)) return false;
    output.write('Answer with one of the letters.\n');
  }
}

/** Asks once on the terminal of the process, in one line. Anything but yes is no. */
export async function agrees(question: string): Promise<boolean> {
  if (process.stdin.isTTY) await dropTyped(process.stdin);
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await reader.question(`${question} [y/n] `)).trim());
  } finally {
    reader.close();
  }
}

import { createInterface } from 'node:readline/promises';
import { dropTyped, type Lines } from './lines.ts';
import { type Output, styled } from './terminal.ts';

const NEVER = new AbortController().signal;

/**
 * Asks until the answer is yes or no, and resolves with whether it is yes; with undefined if the input ends. `choices`: a
 * line that says what the letters `y` and `n` mean. Rejects with the signal's reason if it fires.
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

/**
 * Asks a question once on the terminal of the process. Resolves with true for `y` or `yes`, and with false for anything
 * else.
 */
export async function agrees(question: string): Promise<boolean> {
  if (process.stdin.isTTY) await dropTyped(process.stdin);
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await reader.question(`${question} [y/n] `)).trim());
  } finally {
    reader.close();
  }
}

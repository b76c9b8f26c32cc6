import { LocalFolder } from '../local-folder.ts';
import type { Arguments } from './arguments.ts';
import { showConfig } from './config-question.ts';
import { EXIT, UsageError } from './exit-codes.ts';
import { harmless, outputOf } from './terminal.ts';
import { agrees } from './yes-no.ts';

/**
 * Trusts the configuration of a folder as it is now, if the person agrees, or withdraws that trust. Resolves with the exit
 * code. Rejects with errors whose messages are for people.
 */
export async function trust(given: Arguments, directory: string): Promise<number> {
  const { env, stderr, stdin } = process;
  const [action, ...rest] = given.words;
  if (rest.length > 0 || (action !== undefined && action !== 'forget'))
    throw new UsageError(`There is no “trust ${given.words.join(' ')}”. There are: trust, trust forget`);
  const output = outputOf(stderr, env);
  const onNotice = (text: string) => output.write(`${harmless(text)}\n`);
  const folder = await LocalFolder.open({ ...given, directory, env, onNotice, saysWithheld: false });
  try {
    const { content, trust: answers, question } = folder.openedConfig;
    if (action === 'forget') {
      answers?.forget(content);
      output.write(`${question.shown} is not trusted any more.\n`);
      return EXIT.done;
    }
    if (question.allows.length === 0) {
      output.write(`${question.shown} allows nothing that has to be trusted.\n`);
      return EXIT.done;
    }
    if (answers === undefined)
      throw new UsageError('Your answer can’t be kept: the folder contains the place where answers are kept.');
    showConfig(output, question);
    if (!given.isYes) {
      if (!stdin.isTTY || !stderr.isTTY)
        throw new UsageError('Nobody can be asked here whether to trust it. Use --yes to trust it without a question.');
      if (!(await agrees('Trust it as it is?'))) return EXIT.failed;
    }
    answers.put(content, true);
    output.write(`${question.shown} is trusted as it is now.\n`);
    return EXIT.done;
  } finally {
    await folder.close();
  }
}

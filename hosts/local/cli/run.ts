import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { PROMPT_MAX_CHARS } from '../limits.ts';
import type { LocalFolder } from '../local-folder.ts';
import type { Arguments } from './arguments.ts';
import { askAboutConfig } from './config-question.ts';
import { EXIT, STOP_SIGNALS, UsageError } from './exit-codes.ts';
import { askForm } from './form.ts';
import { dropTyped, Lines } from './lines.ts';
import { askAbout } from './question.ts';
import { type Output, outputOf } from './terminal.ts';
import { JsonView, TextView, type TurnView } from './turn-view.ts';
import { openWork, type Person } from './work.ts';
import { askAboutWorkspaceTool } from './workspace-tool-question.ts';

/**
 * Carries out one task, which the command line or standard input names, or goes on with the last turn of the session if neither
 * does. Resolves with the exit code. Rejects with errors whose messages are for people.
 */
export async function run(given: Arguments, directory: string): Promise<number> {
  const { stdin, stdout, stderr, env } = process;
  const prompt = await promptOf(given);
  const progress = outputOf(stderr, env);
  let pause = (): void => undefined;
  const viewOf = ({ host }: LocalFolder): TurnView => {
    if (given.isJson) return new JsonView((line) => void stdout.write(line));
    const view = new TextView({
      answer: outputOf(stdout, env),
      progress,
      host,
      model: () => work.agent.model.id,
      resume: `roundtrip run --session ${given.session ?? 'last'}`,
    });
    pause = () => view.pause();
    return view;
  };
  // In pipes, nobody can be asked.
  const canAsk = stdin.isTTY === true && stderr.isTTY === true && !given.isJson;
  const stopping = new AbortController();
  const onSignal = (): undefined => {
    if (stopping.signal.aborted) process.exit(EXIT.stopped);
    stopping.abort(new Error('Stopped by the user.'));
  };
  for (const name of STOP_SIGNALS) process.on(name, onSignal);
  // The program that reads the answer, such as `head`, may be gone.
  const onGone = () => stopping.abort(new Error('Nobody reads the answer any more.'));
  stdout.on('error', onGone);
  stderr.on('error', onGone);
  /** Asks a question in the terminal, and reads from the terminal only until it is answered. */
  const asking = async <Answer>(
    ask: (place: { reader: Lines; output: Output }) => Promise<Answer>,
  ): Promise<Answer> => {
    pause();
    await dropTyped(stdin);
    const reader = new Lines({ input: stdin, output: stderr }, (hasText) => (hasText ? 'clear' : onSignal()));
    try {
      return await ask({ reader, output: progress });
    } finally {
      reader.close();
    }
  };
  const person: Person = {
    ask: (call, tool, question, signal) => asking((place) => askAbout(place, { call, tool, ...question }, signal)),
    askAboutConfig: (question) => asking((place) => askAboutConfig(place, question)),
    askAboutWorkspaceTool: (...question) => asking((place) => askAboutWorkspaceTool(place, ...question)),
    askForm: (form, signal) => asking((place) => askForm(place, form, signal)),
  };
  let view: TurnView | undefined;
  const work = await openWork(
    { ...given, directory, env },
    (folder) => {
      view = viewOf(folder);
      return view;
    },
    canAsk ? person : {},
  );
  try {
    if (prompt === '' && work.session.messages.length === 0)
      throw new UsageError('Say what to do, as in: roundtrip run "List the files".');
    const { id } = work.agent.model;
    if (view instanceof JsonView)
      view.event({ type: 'session', path: work.session.path, model: id, toolCalling: work.agent.model.toolCalling });
    const end =
      prompt === '' ? await work.agent.resume(stopping.signal) : await work.agent.answer(prompt, stopping.signal);
    view?.onEnd(end);
    if (end.type === 'stopped') return EXIT.stopped;
    if (end.type === 'failed' || end.type === 'limited') return EXIT.failed;
    if (!existsSync(work.session.path)) {
      view?.onNotice(`The session is gone: ${work.session.path} was deleted.`);
      return EXIT.failed;
    }
    return work.wasDenied() ? EXIT.denied : EXIT.done;
  } finally {
    for (const name of STOP_SIGNALS) process.off(name, onSignal);
    await work.close();
  }
}

/**
 * Resolves with the message to the model: the words of the command line or, without words or for “-”, standard input. The
 * message is empty if standard input is a terminal. Rejects with `UsageError` if the input is too long.
 */
async function promptOf({ words }: Arguments): Promise<string> {
  const said = words.join(' ').trim();
  if (said !== '' && said !== '-') return said;
  if (process.stdin.isTTY === true) return '';
  const piped = (await text(process.stdin)).trim();
  if (piped.length > PROMPT_MAX_CHARS)
    throw new UsageError(
      `Standard input has ${piped.length} characters; the limit is ${PROMPT_MAX_CHARS}. Put it into a file of the folder.`,
    );
  return piped;
}

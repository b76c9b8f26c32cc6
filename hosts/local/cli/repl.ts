import { basename } from 'node:path';
import { messageOf } from '#lib/base/message-of.ts';
import { DIFF_COLUMNS_MAX } from '../limits.ts';
import type { LocalFolder } from '../local-folder.ts';
import type { Arguments } from './arguments.ts';
import { diffsOf } from './call-diffs.ts';
import { askAboutConfig } from './config-question.ts';
import { colored } from './diff-view.ts';
import { EXIT } from './exit-codes.ts';
import { askForm } from './form.ts';
import { Lines } from './lines.ts';
import { askAbout } from './question.ts';
import { harmless, inOneLine, type Output, outputOf, shownName, styled } from './terminal.ts';
import { TextView } from './turn-view.ts';
import { undoLatest } from './undo.ts';
import { openWork, sessionsOf, type Work } from './work.ts';
import { askAboutWorkspaceTool } from './workspace-tool-question.ts';

interface Command {
  help: string;
  /** Runs the command. `given`: the text after its name. Returns or resolves with true if the conversation ends. */
  run(given: string): Promise<boolean | undefined> | boolean | undefined;
}

/** The time within which a second Ctrl-C ends the conversation, in milliseconds. */
const AGAIN_MS = 2_000;

/** The maximum width of a tool's description, in columns. */
const DESCRIPTION_COLUMNS = 200;

/** The number of earlier lines of input that the arrow keys reach. */
const HISTORY_SIZE = 500;

/**
 * Holds a conversation in the terminal until the person, or the input, ends it. Resolves with the exit code. Rejects with
 * errors whose messages are for people.
 */
export async function repl(given: Arguments, directory: string): Promise<number> {
  const { stdin, stdout, env } = process;
  const output = outputOf(stdout, env);
  let reader: Lines | undefined;
  let view: TextView | undefined;
  const asking = async <Answer>(
    ask: (place: { reader: Lines; output: Output }) => Promise<Answer>,
  ): Promise<Answer> => {
    view?.pause();
    if (reader !== undefined) return ask({ reader, output });
    // Before the conversation begins.
    const first = new Lines({ input: stdin, output: stdout }, (hasText) =>
      hasText ? 'clear' : process.exit(EXIT.stopped),
    );
    try {
      return await ask({ reader: first, output });
    } finally {
      first.close();
    }
  };
  const work = await openWork(
    { ...given, directory, env },
    (folder) => {
      view = new TextView({
        answer: output,
        progress: output,
        host: folder.host,
        resume: '/continue',
        model: () => work.agent.model.id,
      });
      return view;
    },
    // In pipes, nobody can be asked.
    stdin.isTTY === true
      ? {
          ask: (call, tool, question, signal) =>
            asking((place) => askAbout(place, { call, tool, ...question }, signal)),
          askAboutConfig: (question) => asking((place) => askAboutConfig(place, question)),
          askAboutWorkspaceTool: (...question) => asking((place) => askAboutWorkspaceTool(place, ...question)),
          askForm: (form, signal) => asking((place) => askForm(place, form, signal)),
        }
      : {},
  );
  // The terminal may be closed, or whoever reads the output may be gone.
  const onGone = () => {
    stopping?.abort(new Error('Nobody is there any more.'));
    reader?.close();
  };
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, onGone);
  stdout.on('error', onGone);
  const commands = commandsOf(work, output);
  let stopping: AbortController | undefined;
  let interruptedAt = 0;
  const onInterrupt = (hasText = false): 'clear' | undefined => {
    if (stopping !== undefined) {
      if (stopping.signal.aborted) process.exit(EXIT.stopped);
      stopping.abort(new Error('Stopped by the user.'));
      return undefined;
    }
    // As in a shell: what was typed is given up first. A turn that has just ended must not take the conversation with it.
    if (hasText) return 'clear';
    const isAgain = Date.now() - interruptedAt < AGAIN_MS;
    interruptedAt = Date.now();
    if (isAgain) reader?.close();
    else output.write('\nPress Ctrl-C again to end the conversation.\n› ');
    return undefined;
  };
  // Where the input has ended, the terminal sends it as a signal.
  const onSignal = () => void onInterrupt();
  process.on('SIGINT', onSignal);
  reader = new Lines(
    {
      input: stdin,
      output: stdout,
      historySize: HISTORY_SIZE,
      history: historyOf(work),
      removeHistoryDuplicates: true,
      completer: (line: string, done: (error: null, found: [string[], string]) => void) => {
        // A tab in what is pasted is a tab.
        if (reader?.isPasting === true) done(null, [[`${line}\t`], line]);
        else
          completionsOf(line, commands, work).then(
            (found) => done(null, found),
            () => done(null, [[], line]),
          );
      },
    },
    onInterrupt,
  );
  output.write(`${work.agent.model.id} · ${harmless(work.folder.own.root)} · /help\n`);
  if (work.session.unfinished !== undefined)
    output.write('The last turn was not finished. /continue goes on with it.\n');
  const watcher = work.folder.watch();
  try {
    for (;;) {
      await watcher.reset();
      const said = await readInput(reader, stdin.isTTY === true ? '› ' : '');
      if (said === undefined) return EXIT.done;
      showOthers(await watcher.take(), output);
      if (said.trim() === '') continue;
      const [name = '', ...rest] = said.trim().split(/\s+/);
      // Several lines are a message, whatever the first one looks like.
      const isOneLine = !said.trim().includes('\n');
      const command = isOneLine ? commands.get(name) : undefined;
      if (isOneLine && command === undefined && name.startsWith('/') && !name.slice(1).includes('/')) {
        output.write(`There is no command ${harmless(name)}. /help shows them.\n`);
        continue;
      }
      stopping = new AbortController();
      try {
        if (command === undefined) view?.onEnd(await work.agent.answer(said, stopping.signal));
        else if (name === '/continue') view?.onEnd(await work.agent.resume(stopping.signal));
        else if ((await command.run(rest.join(' '))) === true) return EXIT.done;
      } catch (error) {
        // A command that fails does not end the conversation.
        output.write(`${styled(output, 'red', harmless(messageOf(error)))}\n`);
      } finally {
        stopping = undefined;
      }
    }
  } finally {
    reader.close();
    process.off('SIGINT', onSignal);
    for (const name of ['SIGTERM', 'SIGHUP'] as const) process.off(name, onGone);
    await work.close();
  }
}

/**
 * Reads one input: a line, or several if they are pasted, end with a backslash, or stand between lines of """. Undefined when
 * the input has ended.
 */
async function readInput(reader: Lines, prompt: string): Promise<string | undefined> {
  const lines: string[] = [];
  let isQuoted = false;
  for (;;) {
    const isFirst = lines.length === 0 && !isQuoted;
    const read = await reader.read(isFirst || prompt === '' ? prompt : '… ');
    if (read === undefined) return lines.length === 0 ? undefined : lines.join('\n');
    if (read.isPasted) {
      lines.push(...read.lines);
      if (isQuoted) continue;
      return lines.join('\n');
    }
    for (const line of read.lines) {
      if (line.trim() === QUOTES) {
        if (isQuoted) return lines.join('\n');
        isQuoted = true;
      } else lines.push(line);
    }
    if (isQuoted) continue;
    if (!read.lines.at(-1)?.endsWith('\\')) return lines.join('\n');
    lines.push(lines.pop()?.slice(0, -1) ?? '');
  }
}

/** The quotation marks before and after several lines. */
const QUOTES = '"""';

/** The maximum number of paths that a notice about changes by other programs names. */
const OTHERS_MAX = 10;

/** Tells the person which files other programs have changed. The model is told when it reads or writes those files. */
function showOthers(changes: readonly { path: string; type: string }[], output: Output): void {
  if (changes.length === 0) return;
  const shown = changes.slice(0, OTHERS_MAX).map(({ path, type }) => `${shownName(path)} (${type})`);
  const more = changes.length > OTHERS_MAX ? ` and ${changes.length - OTHERS_MAX} more` : '';
  output.write(`${styled(output, 'dim', `Changed by another program: ${shown.join(', ')}${more}`)}\n`);
}

function commandsOf(work: Work, output: Output): ReadonlyMap<string, Command> {
  const { folder, agent, models, session } = work;
  const commands = new Map<string, Command>([
    [
      '/help',
      {
        help: 'Show the commands',
        run() {
          for (const [name, { help }] of commands) output.write(`${name.padEnd(10)} ${help}\n`);
          output.write('End a line with \\ to go on in the next one, or write """ before and after several lines.\n');
          return undefined;
        },
      },
    ],
    [
      '/model',
      {
        help: 'Show the models, or choose one: /model ID',
        async run(id) {
          if (id === '')
            for (const one of await models.ids())
              output.write(`${one === agent.model.id ? '*' : ' '} ${harmless(one)}\n`);
          else {
            agent.model = await models.find({ model: id });
            output.write(`${agent.model.id} answers from now on.\n`);
          }
          return undefined;
        },
      },
    ],
    [
      '/tools',
      {
        help: 'Show the tools',
        run() {
          for (const { name, effect, description } of folder.host.list())
            output.write(
              `${name} (${effect}): ${inOneLine(description.split('. ', 1)[0] ?? '', DESCRIPTION_COLUMNS)}\n`,
            );
          for (const { tool, state } of folder.workspaceTools.contents.tools)
            if (state === 'waiting') output.write(`${tool.name}: you are asked about it before the next answer.\n`);
          return undefined;
        },
      },
    ],
    [
      '/undo',
      {
        help: 'Undo what the last turn changed; as much as can be with: /undo partial',
        async run(words) {
          const isPartial = words === 'partial';
          await undoLatest(folder, output, { isPartial, partial: '/undo partial', mayGoOn: async () => true });
          return undefined;
        },
      },
    ],
    ['/diff', { help: 'Show what the last turn changed', run: () => showDiff(folder, output) }],
    [
      '/compact',
      {
        help: 'Summarize the conversation before the next answer',
        run() {
          agent.compactsNext = true;
          output.write('Earlier messages will be summarized before the next answer.\n');
          return undefined;
        },
      },
    ],
    ['/continue', { help: 'Go on with a turn that was not finished, or failed', run: () => undefined }],
    [
      '/sessions',
      {
        help: 'Show the sessions of this folder',
        run() {
          for (const path of sessionsOf(folder))
            output.write(`${path === session.path ? '*' : ' '} ${harmless(basename(path))}\n`);
          return undefined;
        },
      },
    ],
    ['/exit', { help: 'End the conversation', run: () => true }],
  ]);
  return commands;
}

async function showDiff(folder: LocalFolder, output: Output): Promise<undefined> {
  const { latestTurn, netChanges } = await import('#lib/workspace/journal/undo.ts');
  const turn = latestTurn(folder.journal);
  if (turn === undefined) output.write('No turn has changed anything.\n');
  for (const { path, type, diff } of diffsOf(folder, turn === undefined ? [] : netChanges(turn))) {
    output.write(`${styled(output, 'dim', `${shownName(path)} (${type})`)}\n`);
    if (diff !== '')
      output.write(`${colored(output, diff, { lines: Number.POSITIVE_INFINITY, columns: DIFF_COLUMNS_MAX })}\n`);
  }
  return undefined;
}

/**
 * Returns the messages that the person sent earlier in the session, newest first, for the arrow keys. Messages of several lines
 * are left out.
 */
function historyOf({ session }: Work): string[] {
  return session.messages
    .flatMap((message) =>
      message.role === 'user' ? message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
    )
    .filter((text) => !text.includes('\n'))
    .reverse();
}

/**
 * Completes a command, the id of a model after `/model`, or a path of the folder at the end of the line. Resolves with the
 * possible texts, and the part of the line that each of them would replace.
 */
async function completionsOf(
  line: string,
  commands: ReadonlyMap<string, Command>,
  { folder, models }: Work,
): Promise<[string[], string]> {
  if (line.startsWith('/model ')) {
    const begun = line.slice('/model '.length);
    return [(await models.ids()).filter((id) => id.startsWith(begun)), begun];
  }
  if (/^\/[a-z]*$/.test(line)) return [[...commands.keys()].filter((name) => name.startsWith(line)), line];
  const word = /\S*$/.exec(line)?.[0] ?? '';
  if (word === '') return [[], word];
  const slash = word.lastIndexOf('/');
  const directory = word.slice(0, slash + 1);
  // The person may be typing a path that is not there.
  const entries = await folder.files.readdir(`/${directory}`).catch(() => []);
  const found = entries
    // Readline would write the others as they are.
    .filter(({ name }) => name.startsWith(word.slice(slash + 1)) && shownName(name) === name)
    .map(({ name, type }) => `${directory}${name}${type === 'directory' ? '/' : ''}`);
  return [found, word];
}

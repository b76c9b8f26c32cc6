import { resolve } from 'node:path';
import { messageOf } from '#lib/base/message-of.ts';
import { surviveBrokenOutput } from '#lib/base/processes/broken-output.ts';
import { type Arguments, readArguments, USAGE } from './cli/arguments.ts';
import { EXIT, UsageError } from './cli/exit-codes.ts';

/**
 * Runs the command that the arguments name, and sets the exit code of the process. Never rejects: an error is written to
 * standard error.
 */
export async function main(given: readonly string[]): Promise<void> {
  surviveBrokenOutput();
  try {
    const asked = readArguments(given);
    process.exitCode = await start(asked);
  } catch (error) {
    const { harmless } = await import('./cli/terminal.ts');
    process.stderr.write(`${harmless(messageOf(error))}\n`);
    if (error instanceof UsageError) process.stderr.write('roundtrip --help shows how it is used.\n');
    process.exitCode = error instanceof UsageError || isMisused(error) ? EXIT.usage : EXIT.failed;
  }
}

async function start(asked: Arguments): Promise<number> {
  if (asked.cwd === '') throw new UsageError('--cwd: name a folder.');
  const directory = resolve(asked.cwd ?? (process.env.ROUNDTRIP_CWD || '.'));
  switch (asked.command) {
    case 'run':
      return (await import('./cli/run.ts')).run(asked, directory);
    case 'repl':
      return (await import('./cli/repl.ts')).repl(asked, directory);
    case 'undo':
      return (await import('./cli/undo.ts')).undo(asked, directory);
    case 'tools':
      return (await import('./cli/tools.ts')).tools(asked, directory);
    case 'trust':
      return (await import('./cli/trust.ts')).trust(asked, directory);
    case 'serve':
      return (await import('./serve/serve.ts')).serve(asked, directory);
    case 'mcp':
      return (await import('./mcp/mcp.ts')).mcp(asked, directory);
    case 'version':
      process.stdout.write(`${await version()}\n`);
      return EXIT.done;
    default:
      process.stdout.write(USAGE);
      return EXIT.done;
  }
}

/** Checks whether an error is about something that the person has given: a folder, a configuration, or a session. */
const isMisused = (error: unknown): boolean =>
  error instanceof Error && ['FolderError', 'ConfigError', 'SessionError'].includes(error.name);

async function version(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  return String(version);
}

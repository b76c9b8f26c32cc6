import { counted } from '#lib/tools/core/counted.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import type { LanguageServerConfig } from './language-server-config.ts';
import type { ProcessEnd } from './server-process.ts';

/**
 * The error of a request that a language server could not fulfil, or answered in a form other than the one that LSP
 * prescribes.
 */
export class ServerErrorResponse extends Error {
  override readonly name = 'ServerErrorResponse';
  /** The error code in the server's answer; 0 for an answer in another form. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the failure of a check whose language server could not be started or has ended. `reason`: what the server did so
 * that the studio ended it; absent if it ended by itself.
 */
export function endedFailure(
  { name, command: [program] }: LanguageServerConfig,
  end: ProcessEnd,
  { reason, errorOutput }: { reason?: string | undefined; errorOutput: string },
): ToolFailure {
  if (end.type === 'not-started') {
    const why = end.code === 'ENOENT' ? `the program "${program}" was not found` : end.code;
    return new ToolFailure(
      'failed',
      `The language server "${name}" could not be started: ${why}. Install it, or correct its command in the configuration.`,
    );
  }
  const what = reason ?? `ended unexpectedly (${end.status})`;
  const output = errorOutput === '' ? '' : `\nThe end of its error output:\n${errorOutput}`;
  return new ToolFailure(
    'failed',
    `The language server "${name}" ${what}. The next check will start it again.${output}`,
  );
}

/** Returns the failure of a check whose language server is not on this machine. */
export const notFound = (config: LanguageServerConfig): ToolFailure =>
  endedFailure(config, { type: 'not-started', code: 'ENOENT' }, { errorOutput: '' });

/** Returns the failure of a check in which the language server `name` answered with the error `message`. */
export const responseFailure = (name: string, message: string): ToolFailure =>
  new ToolFailure(
    'failed',
    `The language server "${name}" reported an error: ${message}. Try again, or check other files separately to find the one it fails for.`,
  );

/** Returns the failure of a check of files for problems that the language server `name` did not finish within `timeoutMs`. */
export const timeFailure = (name: string, timeoutMs: number): ToolFailure =>
  new ToolFailure(
    'timed-out',
    `The language server "${name}" did not finish within ${counted(timeoutMs / 1000, 'second')}. Check a single file or a smaller directory, or try again: it may still be loading the project.`,
  );

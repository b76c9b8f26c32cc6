import * as z from 'zod';
import { endOf, startOf } from '#lib/base/cut-text.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from '../core/tool.ts';

/** The default time limit for a command in the browser's shell, in seconds. */
const BASH_TIMEOUT_SECONDS = 30;
/** The longest time limit that the model may set for a command in the browser's shell, in seconds. */
const BASH_MAX_TIMEOUT_SECONDS = 120;

/**
 * The most characters that a model gets of a command's standard output, and again of its standard error. Of a longer one, it
 * gets half of that from the beginning, and half from the end.
 */
export const BASH_OUTPUT_MAX_LENGTH = 20_000;

/** Options that differ between the shells of hosts. */
interface BashToolOptions {
  /** The description for the model: what commands can use and reach. */
  description: string;
  timeoutSeconds: number;
  maxTimeoutSeconds: number;
}

/**
 * Makes the tool that runs bash commands in a host's shell: the browser's, or that of a folder with the machine's programs.
 * `description`: tells the model what commands can use and reach. `timeoutSeconds`: the time limit of a command for which the
 * model sets none; `maxTimeoutSeconds`: the longest that it may set. A command that fails is a result with its exit code. The
 * tool itself fails with `FileSystemError` if `cwd` is not a directory, or as `timed-out` or `aborted`.
 */
export const bashTool = ({ description, timeoutSeconds, maxTimeoutSeconds }: BashToolOptions) =>
  defineTool({
    name: 'execute_bash',
    description: `${description} Only files persist between calls. Returns standard output, standard error and the exit code.`,
    toolset: 'files',
    effect: 'execute',
    inputSchema: z.object({
      command: z.string().min(1, 'must not be empty').describe('The command, or a multi-line script.'),
      cwd: z.string().default('/').describe('Directory to run it in.'),
      timeout: z
        .number()
        .positive('must be more than 0')
        .max(maxTimeoutSeconds, `must be at most ${maxTimeoutSeconds}`)
        .default(timeoutSeconds)
        .describe('Seconds after which the command is terminated.'),
    }),
    needs: ['files', 'shell'],
    presentation: {
      verb: 'run-command',
      target: 'command',
      names: ['cwd'],
      input: { as: 'code', argument: 'command', language: 'bash' },
    },
    aliases: ['bash', 'shell', 'run_command', 'run_shell_command'],
    examples: [
      {
        description: 'Count words',
        input: { command: 'cat docs/*.md | wc -w' },
        result: '42',
      },
    ],
    async execute({ command, cwd, timeout }, { files: fileSystem, shell, author, abortSignal }) {
      const directory = resolvePath(cwd);
      if ((await fileSystem.stat(directory)).type !== 'directory') throw new FileSystemError('ENOTDIR', directory);
      const outcome = await shell.run(command, {
        cwd: directory,
        author,
        timeoutMs: timeout * 1000,
        abortSignal,
      });
      const stdout = shorten(outcome.stdout, 'standard output');
      const stderr = shorten(outcome.stderr, 'standard error');
      const parts = [stdout.trimEnd()];
      if (stderr.trim() !== '') parts.push(`[standard error]\n${stderr.trimEnd()}`);
      if (outcome.exitCode !== 0) parts.push(`[exit code ${outcome.exitCode}]`);
      const content = parts.filter((part) => part !== '').join('\n');
      return { content: content === '' ? '[no output, exit code 0]' : content, data: { ...outcome, stdout, stderr } };
    },
  });

/** The tool that runs bash commands in the browser's own shell, in which they reach only the workspace's files. */
export const executeBash = bashTool({
  description:
    'Runs a bash command on the files of the workspace. It may use ls, cat, grep, sed, awk, find, sort, jq and the like, with pipes, ' +
    'loops and redirections. There is no network, and there are no other programs such as node, npm, python or git.',
  timeoutSeconds: BASH_TIMEOUT_SECONDS,
  maxTimeoutSeconds: BASH_MAX_TIMEOUT_SECONDS,
});

/** Cuts the middle out of a long output: the beginning shows what a command did, and the end how it ended. */
function shorten(text: string, name: string): string {
  if (text.length <= BASH_OUTPUT_MAX_LENGTH) return text;
  const half = BASH_OUTPUT_MAX_LENGTH / 2;
  const [start, end] = [startOf(text, half), endOf(text, half)];
  return `${start}\n[${text.length - start.length - end.length} characters of ${name} omitted]\n${end}`;
}

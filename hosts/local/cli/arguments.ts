import { parseArgs } from 'node:util';
import { messageOf } from '#lib/base/message-of.ts';
import type { ToolCallingMode } from '#lib/messages/message.ts';
import { UsageError } from './exit-codes.ts';

/** The parsed arguments of the command line. */
export interface Arguments {
  command: 'run' | 'repl' | 'undo' | 'tools' | 'trust' | 'serve' | 'mcp' | 'help' | 'version';
  /**
   * The arguments after the command that are not options: the message to the model, or an action such as `allow` with names of
   * tools.
   */
  words: readonly string[];
  cwd: string | undefined;
  configFile: string | undefined;
  /** The file that lists tool servers. */
  mcpFile: string | undefined;
  /** Paths of files that describe HTTP APIs, whose tools are offered besides those of the person's own APIs. */
  apiFiles: readonly string[];
  provider: string | undefined;
  model: string | undefined;
  /** The session to go on with: a path, a name, or `last`. */
  session: string | undefined;
  maxSteps: number | undefined;
  /** Whether to do without a question what would be asked. */
  isYes: boolean;
  /** Whether to write events as JSON lines. */
  isJson: boolean;
  /** Whether commands run like any other program, not confined to the folder. */
  isUnconfined: boolean;
  /** Whether to undo the changes that can be undone, even if others cannot. */
  isPartial: boolean;
  /** Whether to show an answer while it arrives. */
  streams: boolean;
  /** The way in which the model gets its tools; as its settings say if undefined. */
  toolCalling: ToolCallingMode | undefined;
}

const OPTIONS = {
  cwd: { type: 'string' },
  config: { type: 'string' },
  mcp: { type: 'string' },
  api: { type: 'string', multiple: true },
  provider: { type: 'string' },
  model: { type: 'string' },
  session: { type: 'string' },
  'max-steps': { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  json: { type: 'boolean' },
  'no-stream': { type: 'boolean' },
  'tool-calling': { type: 'string' },
  unconfined: { type: 'boolean' },
  partial: { type: 'boolean' },
  stdio: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

type OptionName = keyof typeof OPTIONS;

const COMMON: readonly OptionName[] = ['cwd', 'config', 'unconfined', 'help', 'version'];
const TALK: readonly OptionName[] = [
  ...COMMON,
  'mcp',
  'api',
  'provider',
  'model',
  'session',
  'max-steps',
  'yes',
  'no-stream',
  'tool-calling',
];

/** The options of each command. */
const COMMANDS: ReadonlyMap<string, readonly OptionName[]> = new Map([
  ['run', [...TALK, 'json']],
  ['repl', TALK],
  ['undo', [...COMMON, 'yes', 'partial']],
  ['tools', [...COMMON, 'mcp', 'api', 'yes']],
  ['trust', [...COMMON, 'yes']],
  ['serve', [...COMMON, 'mcp', 'api', 'stdio']],
  ['mcp', [...COMMON, 'mcp', 'api', 'stdio']],
]);

/**
 * Parses the arguments of the command line, of which the first is the command. Throws `UsageError` for an unknown command, and
 * for options or words that the command does not take.
 */
export function readArguments(given: readonly string[]): Arguments {
  const [name = 'help', ...rest] = given;
  const allowed = COMMANDS.get(name);
  if (allowed === undefined) {
    if (['help', '--help', '-h'].includes(name)) return { ...nothing('help') };
    if (['version', '--version', '-v'].includes(name)) return { ...nothing('version') };
    throw new UsageError(`There is no command “${name}”. The commands are: ${[...COMMANDS.keys()].join(', ')}.`);
  }
  const { values, positionals } = parse(rest);
  if (values.help) return nothing('help');
  if (values.version) return nothing('version');
  const foreign = Object.keys(values).find((option) => !allowed.includes(option as OptionName));
  if (foreign !== undefined) throw new UsageError(`“${name}” has no option --${foreign}.`);
  if (!['run', 'tools', 'trust'].includes(name) && positionals.length > 0)
    throw new UsageError(`“${name}” takes no text, but was given “${positionals[0]}”.`);
  if (name === 'serve' && !values.stdio) throw new UsageError('Say how to serve: roundtrip serve --stdio.');
  return {
    command: name as Arguments['command'],
    words: positionals,
    cwd: values.cwd,
    configFile: values.config,
    mcpFile: values.mcp,
    provider: values.provider,
    model: values.model,
    session: values.session,
    apiFiles: values.api ?? [],
    maxSteps: stepsOf(values['max-steps']),
    isYes: values.yes ?? false,
    isJson: values.json ?? false,
    isUnconfined: values.unconfined ?? false,
    isPartial: values.partial ?? false,
    streams: !(values['no-stream'] ?? false),
    toolCalling: toolCallingOf(values['tool-calling']),
  };
}

function parse(given: string[]) {
  try {
    return parseArgs({ args: given, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function stepsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const steps = Number(text);
  if (Number.isInteger(steps) && steps >= 1) return steps;
  throw new UsageError(`--max-steps ${text}: must be a whole number from 1.`);
}

function toolCallingOf(text: string | undefined): ToolCallingMode | undefined {
  if (text === undefined || text === 'auto') return undefined;
  if (text === 'native' || text === 'prompted') return text;
  throw new UsageError(`--tool-calling ${text}: must be native, prompted, or auto.`);
}

const nothing = (command: Arguments['command']): Arguments => ({
  command,
  words: [],
  apiFiles: [],
  cwd: undefined,
  configFile: undefined,
  mcpFile: undefined,
  provider: undefined,
  model: undefined,
  session: undefined,
  maxSteps: undefined,
  isYes: false,
  isJson: false,
  isUnconfined: false,
  isPartial: false,
  streams: true,
  toolCalling: undefined,
});

/** The help text of the program. */
export const USAGE = `Usage: roundtrip <command> [options]

  run ["what to do"]   Carry out a task over a folder. The task can also come from standard input; without one, the last
                       turn of the session goes on.
  repl                 The same as a conversation.
  undo                 Undo what the last turn changed in the folder.
  tools                Show the external tools: from tool servers, HTTP APIs, and the folder.
  tools allow NAME…    Allow tools as they are now: calls no longer ask, and the model may use those of the folder.
  tools forget NAME…   Take that back.
  trust                Let the folder's configuration allow what it says, as it is now.
  trust forget         Take that back.
  serve --stdio        Serve the tools to another program: one JSON request in each line.
  mcp                  Serve the tools as an MCP server on standard input and output.

Options
  --cwd DIR            The folder; otherwise ROUNDTRIP_CWD, or the current directory.
  --config FILE        The configuration; otherwise .roundtrip/config.yaml in the folder.
  --mcp FILE           The list of tool servers; otherwise roundtrip/mcp.yaml in ~/.config (not with undo).
  --api FILE           An HTTP API whose tools are offered, too; can be given several times (not with undo).
  --unconfined         Run commands like any other program, not confined to the folder.

Options of run and repl
  --provider NAME      The provider, such as openai.
  --model ID           The model.
  --session FILE       The session to go on with: a file, its name, or “last”.
  --max-steps N        How many steps a turn may take (10).
  -y, --yes            Allow what would be asked, except calls whose text comes from a file or a result.
  --tool-calling MODE  How the model gets its tools: native, prompted, or auto.
  --no-stream          Show each answer when it is complete.
  --json               Write events as JSON lines (run only).

Options of undo
  --partial            Undo as much as can be, if others have changed some of it since.

Options of undo, tools, and trust
  -y, --yes            Do not ask.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a call was denied, 130 stopped.
`;

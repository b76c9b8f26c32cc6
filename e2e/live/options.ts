import { parseArgs } from 'node:util';
import { messageOf } from '#lib/base/message-of.ts';
import { type ToolCallingChoice, toolCallingChoiceSchema } from '#lib/messages/message.ts';

/** The modes that are played if none is named: `auto` is one of these two. */
const MODES = ['native', 'prompted'] as const;
const LANGUAGES = ['en', 'zh'] as const;
const HOSTS = ['browser', 'cli'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The host of the tools: a browser, or the command line over a folder. */
type PlayedHost = (typeof HOSTS)[number];

/** The options of what is played. */
export interface LiveOptions {
  /** The models' ids. */
  models: readonly string[];
  modes: readonly ToolCallingChoice[];
  host: PlayedHost;
  languages: readonly Language[];
  /** Names of scenarios. */
  scenarios: readonly string[];
  repeat: number;
  /** The report's folder. */
  output: string;
}

/** Thrown for invalid arguments; the message lists the valid ones. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses the arguments, which may name only these models and scenarios. Throws `UsageError`. */
export function readLiveOptions(
  args: readonly string[],
  known: { models: readonly string[]; scenarios: readonly string[] },
): LiveOptions {
  const refuse = (reason: string): never => {
    throw new UsageError(
      [
        reason,
        '',
        'npm run scenarios -- --model <id>… [--host browser|cli] [--mode native|prompted|auto]… [--repeat <n>] [--only <scenario>]… [--language en|zh] [--output <folder>]',
        '',
        `Models: ${known.models.join(', ') || 'none'}`,
        `Scenarios: ${known.scenarios.join(', ')}`,
      ].join('\n'),
    );
  };
  const choice = <Value extends string>(option: string, values: readonly Value[], given: string): Value =>
    values.find((value) => value === given) ??
    refuse(`--${option} ${given}: there is only ${values.join(', ') || 'none'}.`);

  const given = parse(args, refuse);
  if (given.model === undefined) return refuse('Which model? Give its id with --model.');
  if (!/^[1-9]\d{0,2}$/.test(given.repeat)) refuse(`--repeat ${given.repeat}: must be a number from 1 to 999.`);
  return {
    models: given.model.map((id) => choice('model', known.models, id)),
    modes: given.mode?.map((mode) => choice('mode', toolCallingChoiceSchema.options, mode)) ?? MODES,
    host: choice('host', HOSTS, given.host),
    languages: given.language === undefined ? LANGUAGES : [choice('language', LANGUAGES, given.language)],
    scenarios: given.only?.map((name) => choice('only', known.scenarios, name)) ?? known.scenarios,
    repeat: Number(given.repeat),
    output: given.output,
  };
}

function parse(args: readonly string[], refuse: (reason: string) => never) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        model: { type: 'string', multiple: true },
        host: { type: 'string', default: 'browser' },
        mode: { type: 'string', multiple: true },
        language: { type: 'string' },
        only: { type: 'string', multiple: true },
        repeat: { type: 'string', default: '1' },
        output: { type: 'string', default: 'scenario-report' },
      },
    }).values;
  } catch (error) {
    return refuse(messageOf(error));
  }
}

import { parseArgs } from 'node:util';
import { messageOf } from '#lib/base/message-of.ts';
import { ARM_FORMS, type Arm, armOf, DEFAULT_ARMS } from './arms.ts';
import { TOOL_CHOICES, type ToolChoice } from './play.ts';
import { LANGUAGES, type Language, TASK_KINDS, TASK_SETS, type TaskKind, type TaskSet } from './task.ts';
import { TASKS } from './tasks.ts';

/** The options of what is played, and where. */
export interface ModelsOptions {
  /** One server or several with the same model: each plays one try at a time. */
  urls: readonly string[];
  model: string;
  /** The variable that holds the key. */
  keyVariable: string | undefined;
  arms: readonly Arm[];
  tools: readonly ToolChoice[];
  languages: readonly Language[];
  set: TaskSet;
  kinds: readonly TaskKind[];
  tries: number;
  temperature: number;
  contextSize: number | undefined;
  maxOutputTokens: number;
  /** The file with the results. */
  output: string;
  /** Added to the arms' names in the results, to tell versions of a prompt apart. */
  label: string | undefined;
  /** Asks the model for first replies only. */
  firstOnly: boolean;
  /** Reads recorded replies again, and plays nothing. */
  reread: boolean;
  /** Only prints the tables of the results. */
  report: boolean;
}

/** Thrown for invalid arguments; the message lists the valid ones. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const USAGE = `npm run bench -- models --url <base URL> --model <name> [options]

  --url <base URL>      An OpenAI-compatible server, such as http://127.0.0.1:8080/v1. Several play in parallel.
  --model <name>        The model, as the server names it.
  --key-env <variable>  The environment variable that holds the server's key.
  --arm <name>          Repeat for several. ${ARM_FORMS.join('; ')}.
                        By default: ${DEFAULT_ARMS.join(', ')}
  --tools <choice>      ${TOOL_CHOICES.join(' or ')}; by default, few.
  --language <name>     ${LANGUAGES.join(' or ')}; by default, both.
  --set <name>          ${TASK_SETS.join(' or ')}; by default, tuning.
  --kind <name>         Repeat for several; by default, all: ${TASK_KINDS.join(', ')}
  --tries <n>           Per task; by default, 5.
  --temperature <n>     By default, 0.7.
  --context <tokens>    The window that the server gives the model.
  --max-output <tokens> Per reply; by default, 400.
  --output <file>       The results, as JSON lines. Tries that are in it are not played again.
  --label <text>        Added to the arms' names in the results.
  --first-only          Asks for first replies only, which takes a third of the time. Recorded as arms of their own.
  --reread              Reads the recorded replies again with the current parser; no server is needed.
  --report              Prints the tables of the results; no server is needed.`;

/** Parses the arguments. Throws `UsageError`. */
export function readOptions(args: readonly string[]): ModelsOptions {
  const refuse = (reason: string): never => {
    throw new UsageError(`${reason}\n\n${USAGE}`);
  };
  const given = parse(args, refuse);
  const choices = <Value extends string>(option: string, all: readonly Value[], names: string[] | undefined) =>
    names?.map(
      (name) => all.find((one) => one === name) ?? refuse(`--${option} ${name}: there is only ${all.join(', ')}.`),
    );
  const number = (option: string, text: string, [low, high]: readonly [number, number], isWhole = true): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= low && value <= high) || (isWhole && !Number.isInteger(value)))
      refuse(`--${option} ${text}: must be ${isWhole ? 'a whole number' : 'a number'} from ${low} to ${high}.`);
    return value;
  };
  const isOffline = given.reread || given.report;
  const urls = (given.url ?? []).map((url) => {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      refuse(`--url ${url}: must be an address such as http://127.0.0.1:8080/v1.`);
    return url.replace(/\/+$/, '');
  });
  if (given.model === undefined) return refuse('Which model? Give its name with --model.');
  if (urls.length === 0 && !isOffline) return refuse('Which server? Give its address with --url.');
  const sets = choices('set', TASK_SETS, given.set === undefined ? undefined : [given.set]);
  const arms = (given.arm ?? DEFAULT_ARMS).map(
    (name) => armOf(name) ?? refuse(`--arm ${name}: an arm is ${ARM_FORMS.join('; or ')}.`),
  );
  return {
    urls,
    model: given.model,
    keyVariable: given['key-env'],
    arms,
    tools: choices('tools', TOOL_CHOICES, given.tools) ?? ['few'],
    languages: choices('language', LANGUAGES, given.language) ?? LANGUAGES,
    set: sets?.[0] ?? 'tuning',
    kinds: choices('kind', TASK_KINDS, given.kind) ?? TASK_KINDS,
    tries: number('tries', given.tries, [1, 1_000]),
    temperature: number('temperature', given.temperature, [0, 2], false),
    contextSize: given.context === undefined ? undefined : number('context', given.context, [512, 10_000_000]),
    maxOutputTokens: number('max-output', given['max-output'], [16, 100_000]),
    output: given.output ?? `test-results/models/${given.model.replaceAll(/[^\w.-]+/g, '-')}.jsonl`,
    label: given.label,
    firstOnly: given['first-only'],
    reread: given.reread,
    report: given.report,
  };
}

/** The tasks of the options. Searching needs a tool that is not among the few. */
export const chosenTasks = ({ set, languages, kinds }: ModelsOptions, tools: ToolChoice) =>
  TASKS.filter(
    (task) =>
      task.set === set &&
      languages.includes(task.language) &&
      kinds.includes(task.kind) &&
      (tools === 'all' || task.kind !== 'search'),
  );

function parse(args: readonly string[], refuse: (reason: string) => never) {
  const one = { type: 'string' } as const;
  const several = { type: 'string', multiple: true } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: several,
        model: one,
        'key-env': one,
        arm: several,
        tools: several,
        language: several,
        set: one,
        kind: several,
        tries: { type: 'string', default: '5' },
        temperature: { type: 'string', default: '0.7' },
        context: one,
        'max-output': { type: 'string', default: '400' },
        output: one,
        label: one,
        'first-only': { type: 'boolean', default: false },
        reread: { type: 'boolean', default: false },
        report: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return refuse(messageOf(error));
  }
}

import { dirname } from 'node:path';
import { allowancesOf, type FolderConfig, parseFolderConfig, withoutAllowances } from '../config.ts';
import { type ConfigContent, ConfigTrust } from './config-trust.ts';
import { isInFolder, ownConfigAnswersFile } from './own-places.ts';

/** A configuration, for the question whether the person trusts it. */
export interface ConfigQuestion {
  /** The name of the file for the person: as they gave it, or `.roundtrip/config.yaml`. */
  shown: string;
  text: string;
  /** The content that the person trusted last; undefined if there is none. */
  before: string | undefined;
  /** The things that the configuration allows, in words. */
  allows: readonly string[];
}

/**
 * Asks the person whether they trust a configuration, so that it may allow what it says. Resolves with undefined if they did
 * not answer.
 */
export type AskAboutConfig = (question: ConfigQuestion) => Promise<boolean | undefined>;

/** A folder's configuration as it takes effect: without what it allows, unless the person has trusted that. */
export interface OpenedConfig {
  config: FolderConfig;
  content: ConfigContent;
  /**
   * The things that the configuration would allow, in words, which have no effect because the person has not trusted it; empty
   * if everything that it allows counts.
   */
  withheld: readonly string[];
  /** Whether the file is the person's own, outside of the folder. */
  isTheirs: boolean;
  /** The answers of the person; undefined if the file is theirs, or if nothing can be kept. */
  trust: ConfigTrust | undefined;
  question: ConfigQuestion;
}

/** The person who may be asked, and the environment that says where their answers are. */
interface OpenConfigOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Asks the person; nobody can be asked if absent. */
  ask?: AskAboutConfig | undefined;
}

/**
 * Reads the configuration of a folder. Somebody else may have written it, so it allows nothing before the person has trusted
 * its content; `ask` asks them if they have not answered yet, and the answer is kept. What it denies and limits counts at once.
 * A file outside of the folder that the person has named is their own, and all of it counts. `root`: the folder. `path`: the
 * file. `shown`: the file's name for the person. Rejects with `ConfigError`.
 */
export async function openConfig(
  place: {
    root: string;
    path: string;
    shown: string;
    /** Whether the person has named the file, so that it must be there. */
    isRequired: boolean;
  },
  { env, ask }: OpenConfigOptions,
): Promise<OpenedConfig> {
  const { root, path, shown } = place;
  const { config, text } = await parseFolderConfig(path, shown, place.isRequired);
  const content = { folder: root, path, text };
  const answers = ownConfigAnswersFile(env);
  // A link of the folder does not make a file theirs, wherever it leads.
  const isTheirs = place.isRequired && !isInFolder(root, path) && !isInFolder(root, dirname(path));
  // In the folder, tools could write answers of their own.
  const trust = isTheirs || isInFolder(root, answers) ? undefined : new ConfigTrust(answers);
  const allows = isTheirs ? [] : allowancesOf(config);
  const question = { shown, text, before: trust?.before(content), allows };
  const opened = { content, trust, question, isTheirs };
  if (allows.length === 0) return { ...opened, config, withheld: [] };
  const known = trust?.of(content);
  // biome-ignore lint/nursery/useAwaitThenable: it is a promise, unless there is nobody to ask
  const isTrusted = known ?? (await ask?.(question));
  if (known === undefined && isTrusted !== undefined) keep(trust, content, isTrusted);
  return isTrusted === true
    ? { ...opened, config, withheld: [] }
    : { ...opened, config: withoutAllowances(config), withheld: allows };
}

/** Keeps an answer, if that is possible. It counts for this process anyway. */
function keep(trust: ConfigTrust | undefined, content: ConfigContent, isTrusted: boolean): void {
  try {
    trust?.put(content, isTrusted);
  } catch {
    // The next process asks again.
  }
}

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { CONFIG_ANSWERS_MAX } from '../limits.ts';
import { KeptList } from './kept-list.ts';

const answerSchema = z.object({
  /** The folder that is configured: real and absolute. */
  folder: z.string(),
  /** The path of the configuration's file: absolute. */
  path: z.string(),
  /** The SHA-256 of `text`, in hexadecimal. */
  hash: z.string(),
  isTrusted: z.boolean(),
  text: z.string(),
});

type ConfigAnswer = z.infer<typeof answerSchema>;

/** The content of a configuration's file as it is now, with the paths of the folder and the file. */
export type ConfigContent = Pick<ConfigAnswer, 'folder' | 'path' | 'text'>;

/**
 * Records in a file whether the person trusts configurations of folders. Each answer is about one content of a
 * configuration.
 */
export class ConfigTrust {
  readonly #list: KeptList<ConfigAnswer>;

  constructor(path: string) {
    this.#list = new KeptList(path, answerSchema);
  }

  /** Checks whether a content is trusted; undefined if the person has not answered. */
  of(content: ConfigContent): boolean | undefined {
    const hash = hashOf(content.text);
    return this.#list.read().findLast((answer) => isAbout(answer, content) && answer.hash === hash)?.isTrusted;
  }

  /** The content of a configuration that was trusted last; undefined if none was. */
  before(content: Pick<ConfigContent, 'folder' | 'path'>): string | undefined {
    return this.#list.read().findLast((answer) => isAbout(answer, content) && answer.isTrusted)?.text;
  }

  /**
   * Records an answer. A content that is trusted replaces all earlier answers about the configuration; one that is not trusted
   * replaces only the answer about the same content. Throws Node's errors.
   */
  put(content: ConfigContent, isTrusted: boolean): void {
    const { folder, path, text } = content;
    const answer = { folder, path, hash: hashOf(text), isTrusted, text };
    this.#list.change((answers) => {
      const others = answers.filter((one) => !isAbout(one, content) || (one.hash !== answer.hash && !isTrusted));
      return [...others, answer].slice(-CONFIG_ANSWERS_MAX);
    });
  }

  /** Forgets all answers about a configuration. Throws Node's errors. */
  forget(content: Pick<ConfigContent, 'folder' | 'path'>): void {
    this.#list.change((answers) => {
      const others = answers.filter((one) => !isAbout(one, content));
      return others.length < answers.length ? others : undefined;
    });
  }
}

const isAbout = (answer: ConfigAnswer, { folder, path }: Pick<ConfigContent, 'folder' | 'path'>): boolean =>
  answer.folder === folder && answer.path === path;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

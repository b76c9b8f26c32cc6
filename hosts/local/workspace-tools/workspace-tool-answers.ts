import * as z from 'zod';
import { OWN_TOOL_ANSWERS_MAX, OWN_TOOL_TEXTS_MAX } from '../limits.ts';
import { KeptList } from '../trust/kept-list.ts';

const answerSchema = z.object({
  /** The folder in which it was asked: real and absolute. */
  folder: z.string(),
  /** The path of the file in it. */
  path: z.string(),
  /** Names the path and the content. */
  hash: z.string(),
  isAllowed: z.boolean(),
  /** The content; null once others have taken its room. */
  text: z.string().nullable(),
});

/** The person's answer about a file with a tool. */
export type WorkspaceToolAnswer = z.infer<typeof answerSchema>;

/** The record of which files with tools the person lets the model use, each as its content is, in a file. */
export class WorkspaceToolAnswers {
  readonly #list: KeptList<WorkspaceToolAnswer>;

  constructor(path: string) {
    this.#list = new KeptList(path, answerSchema);
  }

  /** Checks whether a content is allowed; undefined if the person has not answered. */
  of(hash: string): boolean | undefined {
    return this.#list.read().findLast((answer) => answer.hash === hash)?.isAllowed;
  }

  /** The content that was allowed last in a file; undefined if none was, or if it was not kept. */
  before({ folder, path }: Pick<WorkspaceToolAnswer, 'folder' | 'path'>): string | undefined {
    const last = this.#list
      .read()
      .findLast((answer) => answer.isAllowed && answer.folder === folder && answer.path === path);
    return last?.text ?? undefined;
  }

  /** Keeps an answer in place of an earlier one about the same content. Throws Node's errors. */
  put(answer: WorkspaceToolAnswer): void {
    this.#list.change((answers) => {
      const others = answers.filter(({ hash }) => hash !== answer.hash);
      let room = OWN_TOOL_TEXTS_MAX;
      const kept = [...others, answer]
        .slice(-OWN_TOOL_ANSWERS_MAX)
        .reverse()
        .map((one) => {
          room -= one.text?.length ?? 0;
          return room < 0 ? { ...one, text: null } : one;
        });
      return kept.reverse();
    });
  }

  /** Forgets what was said about the contents of a file, so that it is asked about again. Throws Node's errors. */
  forget(hash: string): void {
    this.#list.change((answers) => {
      const others = answers.filter((answer) => answer.hash !== hash);
      return others.length < answers.length ? others : undefined;
    });
  }
}

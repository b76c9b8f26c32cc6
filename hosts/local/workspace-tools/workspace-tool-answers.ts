import * as z from 'zod';
import { OWN_TOOL_ANSWERS_MAX, OWN_TOOL_TEXTS_MAX } from '../limits.ts';
import { KeptList } from '../trust/kept-list.ts';

const answerSchema = z.object({
  /** The folder with the tool: real and absolute. */
  folder: z.string(),
  /** The path of the tool's file in the folder. */
  path: z.string(),
  /** The hash of the file's path and content. */
  hash: z.string(),
  isAllowed: z.boolean(),
  /** The file's content; null if it was dropped to make room for newer ones. */
  text: z.string().nullable(),
});

/** The person's answer about a file with a tool. */
type WorkspaceToolAnswer = z.infer<typeof answerSchema>;

/**
 * Records in a file which workspace tools the person lets the model use. Each answer is about one content of a tool's file.
 */
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

  /** Records an answer in place of an earlier one about the same content. Throws Node's errors. */
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

  /** Forgets the answer about a content of a file, so that the person is asked again. Throws Node's errors. */
  forget(hash: string): void {
    this.#list.change((answers) => {
      const others = answers.filter((answer) => answer.hash !== hash);
      return others.length < answers.length ? others : undefined;
    });
  }
}

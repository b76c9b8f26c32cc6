/** The kinds of reasons why a document cannot be read, for texts in the person's language. */
export const DOCUMENT_PROBLEMS = [
  'encrypted',
  'protected',
  'damaged',
  'empty',
  'old-format',
  'too-large',
  'too-complex',
  'too-slow',
  'no-such-part',
  'not-loaded',
] as const;

/**
 * A kind of reason why a document cannot be read. `protected`: an e-book that is protected against copying. `no-such-part`: the
 * document does not have the pages that were asked for. `not-loaded`: the code that reads documents could not be loaded.
 */
export type DocumentProblem = (typeof DOCUMENT_PROBLEMS)[number];

/** Thrown for a document that cannot be read. The message is the reason and what can be done, in sentences for models. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

import type { DocumentProblem } from '#lib/tools/documents/unreadable-document.ts';

/** The reason why a document cannot be read: its kind, and sentences. */
export interface ReadingProblem {
  problem: DocumentProblem;
  message: string;
}

/** The problem of a reader that could not be started, or whose code could not be loaded. */
export const NOT_LOADED: ReadingProblem = {
  problem: 'not-loaded',
  message: 'The reader could not be loaded. Check the connection, and try again.',
};

/** The problem of a reader that ended while it was reading. */
export const OUT_OF_MEMORY: ReadingProblem = {
  problem: 'too-large',
  message: 'The document takes more memory than it may, so it was not read.',
};

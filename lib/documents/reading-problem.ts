import type { DocumentProblem } from '#lib/tools/documents/unreadable-document.ts';

/** The reason why a document could not be read: its kind, and a message in sentences. */
export interface ReadingProblem {
  problem: DocumentProblem;
  message: string;
}

/** The problem if the worker that reads documents could not be started, or its code could not be loaded. */
export const NOT_LOADED: ReadingProblem = {
  problem: 'not-loaded',
  message: 'The reader could not be loaded. Check the connection, and try again.',
};

/** The problem if the worker that reads documents failed while it was reading: most likely, it ran out of memory. */
export const OUT_OF_MEMORY: ReadingProblem = {
  problem: 'too-large',
  message: 'The document takes more memory than it may, so it was not read.',
};

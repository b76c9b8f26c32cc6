/** What is wrong with data that was to be taken in, and with what of it. */
export type ArchiveProblem =
  /** It is no archive, or only a part of one. */
  | { type: 'broken'; detail: string }
  | { type: 'empty' }
  | { type: 'too-many'; limit: number }
  /** In megabytes, as it comes or unpacked. */
  | { type: 'too-large' | 'too-large-unpacked'; limit: number }
  /** A path that is not relative, leads out of where it is unpacked, or cannot be one of a file. */
  | { type: 'absolute-path' | 'path-out' | 'bad-path'; path: string };

/** Thrown for data that is no archive, or none that can be taken in. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly problem: ArchiveProblem;

  constructor(problem: ArchiveProblem) {
    const { type, ...what } = problem;
    super([type, ...Object.values(what)].join(': '));
    this.problem = problem;
  }
}

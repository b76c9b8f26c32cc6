/** A problem with data to be imported. */
export type ArchiveProblem =
  /** The data is not an archive, or only part of one. */
  | { type: 'broken'; detail: string }
  | { type: 'empty' }
  | { type: 'too-many'; limit: number }
  /** The limit is in megabytes, for the packed or the unpacked size. */
  | { type: 'too-large' | 'too-large-unpacked'; limit: number }
  /** A path that is not valid in an archive. */
  | { type: 'bad-path'; path: string };

/** Thrown for data that is not an archive, or that cannot be imported. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly problem: ArchiveProblem;

  constructor(problem: ArchiveProblem) {
    const { type, ...what } = problem;
    super([type, ...Object.values(what)].join(': '));
    this.problem = problem;
  }
}

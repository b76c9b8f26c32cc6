/** A problem with an archive that is imported or written. */
export type ArchiveProblem =
  /** The data is not an archive, or only part of one. */
  | { type: 'broken'; detail: string }
  /** An archive to be imported has no files or folders. */
  | { type: 'empty' }
  /** There are more than `limit` files and folders. */
  | { type: 'too-many'; limit: number }
  /** The packed or the unpacked size is over `limit`, in megabytes. */
  | { type: 'too-large' | 'too-large-unpacked'; limit: number }
  /** A path that is not valid in an archive. */
  | { type: 'bad-path'; path: string };

/** Thrown for data that is not an archive, for an archive that cannot be imported, and for one that cannot be written. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly problem: ArchiveProblem;

  constructor(problem: ArchiveProblem) {
    const { type, ...what } = problem;
    super([type, ...Object.values(what)].join(': '));
    this.problem = problem;
  }
}

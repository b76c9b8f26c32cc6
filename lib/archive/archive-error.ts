/** Thrown for data that is no archive, or none that can be taken in; the message says why, to follow “It was refused:”. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

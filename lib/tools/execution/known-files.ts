/** A workspace file as the model knows it after a call: the model read it, or the call wrote it. */
export interface KnownFile {
  path: string;
  /** Hash of the whole content, from `sha256`. */
  hash: string;
  /**
   * Present if a failed call showed the content in its error. To the other calls of the same step, the file is not known: the
   * model wrote them before it saw the error.
   */
  shown?: true | undefined;
}

/**
 * The contents that the model of a conversation last read or wrote on the current branch. Only contents matter: files
 * that were restored to an earlier state together with the branch are known again.
 */
export interface KnownFiles {
  /** Returns the hash of the content of a file that the model last read or wrote; undefined if it has done neither. */
  hashOf(path: string): string | undefined;
  /** Checks whether the model has read or written this content, at any path. */
  hasSeen(hash: string): boolean;
  /** The earlier text of a file, by its content's hash; undefined if the workspace's recent history does not have it. */
  textOf(path: string, hash: string): Promise<string | undefined>;
}

/** Knows no files; for calls outside of a conversation. */
export const NOTHING_KNOWN: KnownFiles = {
  hashOf: () => undefined,
  hasSeen: () => false,
  textOf: async () => undefined,
};

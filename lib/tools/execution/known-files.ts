/** A workspace file as the model knows it after a call: the model read it, or the call wrote it. */
export interface KnownFile {
  path: string;
  /** Hash of the whole content, from `sha256`. */
  hash: string;
  /** A call that failed only showed it, so calls that were written before its result do not know it. */
  shown?: true | undefined;
}

/**
 * The contents that the model of a conversation last read or wrote on the current branch. Only contents matter: files
 * that were restored to an earlier state together with the branch are known again.
 */
export interface KnownFiles {
  /** Undefined for a file that the model has neither read nor written. */
  hashOf(path: string): string | undefined;
  /** Checks whether the model has read or written this content, at any path. */
  hasSeen(hash: string): boolean;
  /** The text of a file when its content had that hash, as far back as the workspace’s recent history goes. */
  textOf(path: string, hash: string): Promise<string | undefined>;
}

/** For calls outside of a conversation. */
export const NOTHING_KNOWN: KnownFiles = {
  hashOf: () => undefined,
  hasSeen: () => false,
  textOf: async () => undefined,
};

/** A file of the workspace as the model knows it after a call: it read it, or the call wrote it. */
export interface KnownFile {
  path: string;
  /** The whole content’s, as `contentHash` gives it. */
  hash: string;
}

/**
 * What the model of a conversation has last read or written, on the branch that it goes on with. Contents count: files
 * that went back to an earlier point with the branch are known again.
 */
export interface KnownFiles {
  /** Undefined for a file that the model has neither read nor written. */
  hashOf(path: string): string | undefined;
  /** What a file had when its content had that hash, as far as the workspace’s recent history goes back. */
  textOf(path: string, hash: string): Promise<string | undefined>;
}

/** Where there is no conversation. */
export const NOTHING_KNOWN: KnownFiles = { hashOf: () => undefined, textOf: async () => undefined };

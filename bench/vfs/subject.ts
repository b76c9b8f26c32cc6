import type { Files } from './data.ts';

export interface Listed {
  name: string;
  isDirectory: boolean;
  size: number;
}

/**
 * The operations of a file system that are measured, each in its fastest way. Every operation resolves once a reload
 * would find its result.
 */
export interface Subject {
  name: string;
  /** Opens a file system by name, as a newly loaded page would; creates it if it does not exist. */
  open(name: string): Promise<void>;
  close(): Promise<void>;
  create(files: Files): Promise<void>;
  list(folder: string): Promise<readonly Listed[]>;
  readMany(paths: readonly string[]): Promise<number>;
  overwrite(path: string, data: Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(folder: string): Promise<void>;
  /** Sets a point that `restore` returns to. */
  checkpoint(): Promise<void>;
  restore(): Promise<void>;
  /** Counts the files that have a matching line. */
  search(pattern: string): Promise<number>;
}

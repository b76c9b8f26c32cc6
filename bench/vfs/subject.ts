import type { Files } from './data.ts';

export interface Listed {
  name: string;
  isDirectory: boolean;
  size: number;
}

/**
 * What is measured of each file system, in the fastest way that it offers. Whatever it does, it resolves when a reload
 * would find it.
 */
export interface Subject {
  name: string;
  /** Opens a file system of that name, as a page does that was just loaded; makes it if it is not there. */
  open(name: string): Promise<void>;
  close(): Promise<void>;
  create(files: Files): Promise<void>;
  list(folder: string): Promise<readonly Listed[]>;
  readMany(paths: readonly string[]): Promise<number>;
  overwrite(path: string, data: Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(folder: string): Promise<void>;
  /** A point to which `restore` goes back. */
  checkpoint(): Promise<void>;
  restore(): Promise<void>;
  /** How many files have a line that fits. */
  search(pattern: string): Promise<number>;
}

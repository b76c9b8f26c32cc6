import type { ProtectedPaths } from '../permission/path-rule.ts';

/** The scope of a search. Paths are absolute; `.gitignore` files are respected, and `.git` is never entered. */
export interface SearchScope {
  /** A directory, or one file. */
  path: string;
  /** Only files whose path below `path` matches this glob; a glob without a slash is matched against the name. */
  glob?: string | undefined;
}

/** A search for files by their paths. */
export interface FileQuery extends Required<SearchScope> {
  /** The most paths to return. */
  limit: number;
}

/** The result of a search for files. */
export interface FileMatches {
  /** Folder by folder, names in code-unit order. */
  paths: readonly string[];
  /** The number of all matches, returned or not. */
  total: number;
  /** The number of folders that were not entered because rules of the user protect them, if any. */
  protected?: number;
}

/** A search for lines that match a pattern. */
export interface TextQuery extends SearchScope {
  pattern: string;
  /** Whether the pattern is plain text instead of a regular expression. */
  isLiteral: boolean;
  ignoreCase: boolean;
  /** Lines to return before and after each match. */
  contextLines: number;
  /** The most matching lines to return. */
  limit: number;
}

/** A line that a search for lines has found. */
export interface TextMatch {
  path: string;
  /** The number of the line in the file, from 1. */
  line: number;
  /** The column at which the match begins in the line, from 1. */
  column: number;
  /** The length of the match in characters, up to the end of the line. */
  length: number;
  /** The line; if it is long, only the part around the match. */
  text: string;
  /** The offset at which the match begins in `text`, from 0. */
  offset: number;
  before: readonly string[];
  after: readonly string[];
}

/** The result of a search for lines. */
export interface TextMatches {
  /** By path, then by line. */
  matches: readonly TextMatch[];
  /** Whether there are more matching lines than requested. */
  hasMore: boolean;
  filesSearched: number;
  /** Files that are too large to search. */
  skipped: readonly string[];
  /** The number of files and folders that were left out because rules of the user protect them, if any. */
  protected?: number;
}

/** A request to count all lines of the files in a scope. */
export interface LineQuery extends SearchScope {
  /** The most files to return. */
  limit: number;
}

/** The numbers of lines in files. */
export interface LineCounts {
  /** Folder by folder, names in code-unit order; binary files are left out. */
  files: readonly { path: string; lines: number }[];
  /** The number of all files, returned or not, and the number of all their lines. */
  total: { files: number; lines: number };
  /** The number of files and folders that were left out because rules of the user protect them, if any. */
  protected?: number;
}

/** Options of a search. */
export interface SearchOptions {
  abortSignal: AbortSignal;
}

/**
 * Searches the workspace, isolated from the studio's page, so that a runaway pattern can be terminated. Rejects with
 * `ToolFailure` `timed-out` or `aborted`, `failed` for an invalid pattern, or with `FileSystemError`.
 */
export interface WorkspaceSearch {
  files(query: FileQuery, options: SearchOptions): Promise<FileMatches>;
  text(query: TextQuery, options: SearchOptions): Promise<TextMatches>;
  lines(query: LineQuery, options: SearchOptions): Promise<LineCounts>;
  /**
   * Returns the same search without the contents that the user's rules about paths protect. If this method is absent, calls are
   * refused while rules protect paths.
   */
  under?(paths: ProtectedPaths): WorkspaceSearch;
}

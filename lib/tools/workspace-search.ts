/** Where a search looks. Paths are absolute; `.gitignore` files on the way are respected, `.git` is never entered. */
export interface SearchScope {
  /** A directory, or one file. */
  path: string;
  /** Only files whose path below `path`, or whose name where it has no slash, matches this glob. */
  glob?: string | undefined;
}

export interface FileQuery extends Required<SearchScope> {
  /** The most paths to return. */
  limit: number;
}

export interface FileMatches {
  /** Folder by folder, names in code-unit order. */
  paths: readonly string[];
  /** How many there are, returned or not. */
  total: number;
}

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

export interface TextMatch {
  path: string;
  /** From 1. */
  line: number;
  /** Where in the line the match begins, from 1. */
  column: number;
  /** Its length as far as the line goes. */
  length: number;
  /** The line; of a long one, what is around the match. */
  text: string;
  /** Where the match begins in `text`, from 0. */
  offset: number;
  before: readonly string[];
  after: readonly string[];
}

export interface TextMatches {
  /** By path, then by line. */
  matches: readonly TextMatch[];
  /** Whether there are more matching lines than were asked for. */
  hasMore: boolean;
  filesSearched: number;
  /** Files that are too large to be searched. */
  skipped: readonly string[];
}

export interface LineQuery extends SearchScope {
  limit: number;
}

export interface LineCounts {
  /** Folder by folder, names in code-unit order; binary files are left out. */
  files: readonly { path: string; lines: number }[];
  /** Of all files, returned or not. */
  total: { files: number; lines: number };
}

export interface SearchOptions {
  abortSignal: AbortSignal;
}

/**
 * Looks through the workspace, apart from the page, so that a pattern without end can be ended. Rejects with
 * `ToolFailure` `timed-out` or `aborted`, `failed` for a pattern that is none, or with `FileSystemError`.
 */
export interface WorkspaceSearch {
  files(query: FileQuery, options: SearchOptions): Promise<FileMatches>;
  text(query: TextQuery, options: SearchOptions): Promise<TextMatches>;
  lines(query: LineQuery, options: SearchOptions): Promise<LineCounts>;
}

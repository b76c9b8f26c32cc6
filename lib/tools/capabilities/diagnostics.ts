import type { ProtectedPaths } from '../permission/path-rule.ts';

/** The severity of a problem. */
export type DiagnosticSeverity = 'error' | 'warning' | 'info';

/** A problem at a position in a file. Lines and columns count from 1. */
export interface Diagnostic {
  path: string;
  line: number;
  column: number;
  severity: DiagnosticSeverity;
  message: string;
  /** The checker that reported it, such as `ts` or `css`. */
  source: string;
}

/** The result of checking files: the problems that were found. */
export interface DiagnosticsReport {
  /** Sorted by path, line and column. */
  diagnostics: readonly Diagnostic[];
  /** The number of files that were checked. */
  files: number;
  /** Whether there are more files than were checked. */
  hasMore: boolean;
  /** The reasons why some checkers could not check their files, if others could, as sentences. */
  failures?: readonly string[];
}

/** Checks files with language services, as the editor does. Rejects with `FileSystemError` for a path that does not exist. */
export interface Diagnostics {
  /** The problems in a file, or in all files below a directory. */
  check(path: string, options: { abortSignal: AbortSignal }): Promise<DiagnosticsReport>;
  /**
   * Returns the same checks without the files that the user's rules about paths protect. If this method is absent, calls are
   * refused while rules protect paths.
   */
  under?(paths: ProtectedPaths): Diagnostics;
}

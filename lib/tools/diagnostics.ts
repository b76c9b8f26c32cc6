export type DiagnosticSeverity = 'error' | 'warning' | 'info';

/** A problem at a place of a file. Lines and columns count from 1. */
export interface Diagnostic {
  path: string;
  line: number;
  column: number;
  severity: DiagnosticSeverity;
  message: string;
  /** What found it, such as `ts` or `css`. */
  source: string;
}

export interface DiagnosticsReport {
  /** By path, line and column. */
  diagnostics: readonly Diagnostic[];
  /** How many files were looked at. */
  files: number;
  /** Whether there are more files than were looked at. */
  hasMore: boolean;
}

/** The language services of the editor. Rejects with `FileSystemError` for a path that is not there. */
export interface Diagnostics {
  /** The problems of a file, or of all files below a directory. */
  check(path: string, options: { abortSignal: AbortSignal }): Promise<DiagnosticsReport>;
}

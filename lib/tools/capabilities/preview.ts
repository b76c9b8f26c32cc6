import type { ProtectedPaths } from '../permission/path-rule.ts';

/** A position in a workspace file; lines and columns count from 1. */
export interface SourcePlace {
  path: string;
  line: number;
  column: number;
}

/** A problem in building or running a page of the workspace. A warning does not prevent the page from running. */
export interface PreviewProblem {
  severity: 'error' | 'warning';
  message: string;
  place?: SourcePlace;
}

/** A problem as one line, such as `/src/App.tsx:3:7 Expected ";"`. */
export const problemText = ({ message, place }: PreviewProblem): string =>
  place === undefined ? message : `${place.path}:${place.line}:${place.column} ${message}`;

/** A line of the console of a page in the preview; ids are increasing. */
export interface PageLine {
  id: number;
  text: string;
}

/** The outcome of opening a page of the workspace in the preview. */
export interface PreviewReport {
  /** The path of the page that was opened, even if it failed; undefined if there was none to open. */
  entry: string | undefined;
  /** The paths of all pages of the workspace that could be opened. */
  entries: readonly string[];
  /** `failed`: the page could not be built, so the previous one stays. `ended`: the page had to be terminated. */
  status: 'running' | 'failed' | 'ended';
  title: string;
  buildMs: number;
  /** Build problems and uncaught errors. */
  problems: readonly PreviewProblem[];
  console: readonly PageLine[];
}

/**
 * Builds pages from the workspace's files, and runs them in the preview. Rejects only with `ToolFailure` or with the
 * signal's reason.
 */
export interface PagePreview {
  /**
   * Builds and loads the page of a file, such as an HTML, Markdown, or SVG file (`entry`: its path), and waits until it has
   * printed nothing for a moment. Without `entry`, it is the page that was shown last, or else the likeliest one.
   */
  open(entry: string | undefined, options: { abortSignal: AbortSignal }): Promise<PreviewReport>;
  /** The accessibility tree of the page, or of the elements that a CSS selector matches. */
  outline(selector: string | undefined, options: { abortSignal: AbortSignal }): Promise<string>;
  /** The page's console lines after the line with the id `since`; all for 0. */
  console(since: number): Promise<readonly PageLine[]>;
  /**
   * Returns the same preview without the files that the user's rules about paths protect: pages are built without them, and
   * nothing is told about a page that has read them. If this method is absent, calls are refused while rules protect paths.
   */
  under?(paths: ProtectedPaths): PagePreview;
}

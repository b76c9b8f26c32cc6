/** A place in a file of the workspace; lines and columns count from 1. */
export interface SourcePlace {
  path: string;
  line: number;
  column: number;
}

/** What is wrong with a page. A warning does not keep it from running. */
export interface PreviewProblem {
  severity: 'error' | 'warning';
  message: string;
  place?: SourcePlace;
}

/** Such as `/src/App.tsx:3:7 Expected ";"`. */
export const problemText = ({ message, place }: PreviewProblem): string =>
  place === undefined ? message : `${place.path}:${place.line}:${place.column} ${message}`;

/** A line of a page's console; `id` grows from line to line. */
export interface PageLine {
  id: number;
  text: string;
}

/** What became of a page. */
export interface PreviewReport {
  /** The page that was shown; undefined where there is none to show. */
  entry: string | undefined;
  /** All that could be shown. */
  entries: readonly string[];
  /** `failed`: it could not be built, so what was shown before stays. `ended`: it had to be ended. */
  status: 'running' | 'failed' | 'ended';
  title: string;
  buildMs: number;
  /** Of the build, and what the page did not catch. */
  problems: readonly PreviewProblem[];
  console: readonly PageLine[];
}

/** The workspace as a page that runs. Rejects only with `ToolFailure`, and with the signal's reason. */
export interface PagePreview {
  /** Builds and loads a page, the one that was shown last if none is named, and waits until it has settled. */
  open(entry: string | undefined, options: { abortSignal: AbortSignal }): Promise<PreviewReport>;
  /** What assistive technology would tell of the page, or of what a CSS selector finds. */
  outline(selector: string | undefined, options: { abortSignal: AbortSignal }): Promise<string>;
  /** Lines that the console got after the one with that id. */
  console(since: number): Promise<readonly PageLine[]>;
}

import type { PreviewProblem, SourcePlace } from '#lib/tools/capabilities/preview.ts';
import { textFromBytes } from '#lib/vfs/text-form.ts';

/**
 * The origin of a script's text, by which a position in the script is found in the workspace's files: a source map as JSON
 * (`map`), or the position in a file where the text starts.
 */
export type ScriptOrigin = { type: 'map'; map: string } | ({ type: 'file' } & SourcePlace);

/** A script of a previewed page, and the origin of its text. */
export interface PageScript {
  name: string;
  /** Undefined for an inline script, whose text is in the page's HTML. */
  text?: string;
  origin: ScriptOrigin;
}

/**
 * A workspace page, built for the preview: its assets, scripts, and styles are part of it, but the packages that it uses are
 * only named. `RunningPage` adds those, and puts in the styles, when it sends the page to the frame. `entry`: the path of the
 * page's file. `styles`: the texts of the page's style sheets by name.
 */
export interface BuiltPage {
  entry: string;
  /** With `scriptToken(name)` instead of a script's address, and `styleToken(name)` instead of a style's text. */
  html: string;
  scripts: readonly PageScript[];
  styles: ReadonlyMap<string, string>;
  /** Packages that the page imports by name, including transitive imports. */
  packages: readonly string[];
  /** Packages that the page expects as globals. For each, the frame gets the script named `globalName(name)`. */
  globals: readonly string[];
}

/** The result of building a page. A page that was built may still have warnings. */
export type BuildOutcome =
  | { type: 'built'; page: BuiltPage; warnings: readonly PreviewProblem[] }
  | { type: 'failed'; problems: readonly PreviewProblem[] };

/**
 * The result of bundling a script, with all its imports, that runs without a page, in a worker. `inputs`: the paths of the
 * workspace files that it was made of.
 */
export type ScriptOutcome =
  | { type: 'built'; script: Required<PageScript>; inputs: readonly string[] }
  | { type: 'failed'; problems: readonly PreviewProblem[] };

/** The result of removing the types from TypeScript: JavaScript, or the problems that prevented it, with line and column. */
export type StripOutcome = { type: 'stripped'; code: string } | { type: 'failed'; problems: readonly PreviewProblem[] };

/** The files that a build reads. Paths are absolute. */
export interface BuildFiles {
  /** The first of the paths that is a file; undefined if none is. */
  find(paths: readonly string[]): Promise<string | undefined>;
  /** The file's contents, or why they cannot be read: a thrown error would not reach the worker unchanged. */
  read(path: string): Promise<Uint8Array | { problem: string }>;
  /** The text of the module of a package in `PACKAGES`, from the studio's own build. */
  package(name: string): Promise<string>;
}

/**
 * The files of a build as the studio's page offers them to the bundler's worker. Each request takes time, so `find` also
 * returns the contents of small files.
 */
export interface FoundFiles extends Omit<BuildFiles, 'find'> {
  find(paths: readonly string[]): Promise<{ path: string; contents?: Uint8Array } | undefined>;
}

/** Reads a file; rejects if it cannot be read, unlike `files.read`. */
export async function readForBuild(files: BuildFiles, path: string): Promise<Uint8Array> {
  const contents = await files.read(path);
  if ('problem' in contents) throw new Error(contents.problem);
  return contents;
}

/** Reads a text file, whatever its encoding is; rejects if it cannot be read. */
export async function readTextForBuild(files: BuildFiles, path: string): Promise<string> {
  const contents = await readForBuild(files, path);
  return (await textFromBytes(contents))?.text ?? new TextDecoder().decode(contents);
}

/** The namespace that workspace files have in the bundler (esbuild), which tells them from other sources. */
export const WORKSPACE = 'workspace';
/** The namespace that inline modules and styles of an HTML page have in the bundler (esbuild). */
export const INLINE = 'inline';

/**
 * Returns the workspace path of a source in the bundler's output: without its namespace, its query, and the number of an
 * inline part.
 */
export const sourcePath = (source: string): string => source.replace(SOURCE_NAMESPACE, '').replace(/#\d+$|\?.*$/, '');

const SOURCE_NAMESPACE = new RegExp(`^.*?(${WORKSPACE}|${INLINE}):`);

const TOKEN = 'studio-preview-2f6c';

/** Returns the name of the script that defines a package as globals. */
export const globalName = (name: string): string => `global-${name}`;

/** Returns the token that stands for a script's address in the HTML of a built page. */
export const scriptToken = (name: string): string => `${TOKEN}:script:${name}:`;

/** Returns the token that stands for the text of a style sheet in the HTML of a built page. */
export const styleToken = (name: string): string => `${TOKEN}:style:${name}:`;

/** Returns the page's HTML with the text of its styles in place of their tokens. */
export function withStyles({ html, styles }: BuiltPage): string {
  let whole = html;
  for (const [name, text] of styles) whole = whole.replaceAll(styleToken(name), () => inStyle(text));
  return whole;
}

/** Escapes CSS so that it cannot close its style element. */
const inStyle = (text: string): string => text.replace(/<\/(style)/gi, '<\\/$1');

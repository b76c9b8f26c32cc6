import type { PreviewProblem, SourcePlace } from '#lib/tools/preview.ts';

/** Where a script's text comes from: a source map, or the place in a file at which it begins. */
export type ScriptOrigin = { type: 'map'; map: string } | ({ type: 'file' } & SourcePlace);

export interface PageScript {
  name: string;
  /** Undefined where it stands in the page itself. */
  text?: string;
  origin: ScriptOrigin;
}

/** A page of the workspace as the frame can run it: whole, with no address that leads anywhere. */
export interface BuiltPage {
  entry: string;
  /** With `scriptToken(name)` in place of a script's address, and `styleToken(name)` in place of a style's text. */
  html: string;
  scripts: readonly PageScript[];
  styles: ReadonlyMap<string, string>;
  /** Packages that the page imports by name, with those that these import. */
  packages: readonly string[];
  /** Packages that scripts of it make globals of, each in the script of its `globalName`. */
  globals: readonly string[];
}

export type BuildOutcome =
  | { type: 'built'; page: BuiltPage; warnings: readonly PreviewProblem[] }
  | { type: 'failed'; problems: readonly PreviewProblem[] };

/** A script that runs alone, without a page: all that it imports is in it. */
export type ScriptOutcome =
  | { type: 'built'; script: Required<PageScript>; inputs: readonly string[] }
  | { type: 'failed'; problems: readonly PreviewProblem[] };

/** What a build reads. Paths are absolute. */
export interface BuildFiles {
  /** The first of these paths that is a file. */
  find(paths: readonly string[]): Promise<string | undefined>;
  /** Its contents, or why there are none: what is thrown would not come through to a worker as what it is. */
  read(path: string): Promise<Uint8Array | { problem: string }>;
  /** The text of a vendored package's module. */
  package(name: string): Promise<string>;
}

/** The same for the bundler's worker, to which each question takes time: small files come with the answer. */
export interface FoundFiles extends Omit<BuildFiles, 'find'> {
  find(paths: readonly string[]): Promise<{ path: string; contents?: Uint8Array } | undefined>;
}

/** Throws what is in the way. */
export async function readForBuild(files: BuildFiles, path: string): Promise<Uint8Array> {
  const contents = await files.read(path);
  if ('problem' in contents) throw new Error(contents.problem);
  return contents;
}

/** Namespaces of the bundler: files of the workspace, and the parts of an HTML page that are modules or styles. */
export const WORKSPACE = 'workspace';
export const INLINE = 'inline';

/** The file that the bundler means: it names it with its namespace, and what stands in a page with its number there. */
export const sourcePath = (source: string): string => source.replace(SOURCE_NAMESPACE, '').replace(/#\d+$|\?.*$/, '');

const SOURCE_NAMESPACE = new RegExp(`^.*?(${WORKSPACE}|${INLINE}):`);

const TOKEN = 'studio-preview-2f6c';

export const globalName = (name: string): string => `global-${name}`;
export const scriptToken = (name: string): string => `${TOKEN}:script:${name}:`;
export const styleToken = (name: string): string => `${TOKEN}:style:${name}:`;

/** The page's HTML with its styles in it. */
export function withStyles({ html, styles }: BuiltPage): string {
  let whole = html;
  for (const [name, text] of styles) whole = whole.replaceAll(styleToken(name), () => inStyle(text));
  return whole;
}

/** CSS that cannot end the element it stands in. */
const inStyle = (text: string): string => text.replace(/<\/(style)/gi, '<\\/$1');

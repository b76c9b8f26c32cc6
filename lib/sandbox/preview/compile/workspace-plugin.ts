import type { Loader, OnLoadResult, OnResolveArgs, OnResolveResult, PartialMessage, Plugin } from 'esbuild-wasm';
import { defined } from '#lib/base/defined.ts';
import { dirname } from '#lib/vfs/paths.ts';
import { type BuildFiles, INLINE, readForBuild, readTextForBuild, WORKSPACE } from '../built-page.ts';
import { importAt, PACKAGES, packageNames } from '../packages.ts';
import { noFileFor, pathsOf } from './addresses.ts';

/** The namespace of packages that are included in the bundle. */
const PACKAGE = 'package';

/**
 * An inline module or style of a page. `path`: the path of the page. `text`: begins with blank lines, so that its line numbers
 * are those of the page. `loader`: the language that the bundler takes it for.
 */
export interface InlineSource {
  path: string;
  text: string;
  loader: Loader;
}

/** The name of the bundler's entry point that runs the modules of a page one after the other. */
export const ALL_MODULES = 'all-modules';

/**
 * Returns the source of the entry point `ALL_MODULES`, which imports the modules one after the other. As in any browser, a
 * module that throws does not prevent the next one from running. `modules`: paths, or keys of inline modules.
 */
export function allModules(modules: readonly string[]): string {
  const [only] = modules;
  if (modules.length === 1) return `import ${JSON.stringify(only)};`;
  const runs = modules.map((path) => `await run(() => import(${JSON.stringify(path)}));`);
  return `const run = async (load) => { try { await load(); } catch (error) { reportError(error); } };\n${runs.join('\n')}`;
}

/** The inputs of one build. */
export interface BuildInputs {
  files: BuildFiles;
  /** By name, such as `/index.html#0`. */
  inline: ReadonlyMap<string, InlineSource>;
  /** Files in the page's import map: paths by import name. */
  aliases: ReadonlyMap<string, string>;
  /** Whether packages are included in the bundle, because nothing can be imported where it runs. */
  isAlone?: boolean;
}

const SCRIPT_ENDINGS = ['.tsx', '.ts', '.jsx', '.js', '.mjs', '.json', '.css'];

const LOADERS: Readonly<Record<string, Loader>> = {
  ts: 'ts',
  mts: 'ts',
  cts: 'ts',
  tsx: 'tsx',
  // JSX is often found in .js files.
  js: 'jsx',
  mjs: 'jsx',
  cjs: 'jsx',
  jsx: 'jsx',
  json: 'json',
  css: 'css',
  txt: 'text',
  md: 'text',
  html: 'text',
  csv: 'text',
  glsl: 'text',
  vert: 'text',
  frag: 'text',
};

const STYLE_KINDS = new Set<OnResolveArgs['kind']>(['import-rule', 'url-token', 'composes-from']);

/**
 * Matches the imports that the plugin resolves: all except plain names, such as `react`. The bundler knows the packages
 * itself, and a callback for each of their imports is slow.
 */
const PATHS = /^[./@#]|^[a-z]+:|\.\w+$|[?#]|^all-modules$/i;

/**
 * Creates the bundler's plugin that resolves imports to workspace files or to packages of the studio's own build, or reports an
 * error that says what was looked for. `inputs`: returns those of the current build. `hasNames`: whether the plugin also
 * resolves plain names, such as `react`, because they may be in an import map or be bundled; otherwise, the bundler treats them
 * as external packages.
 */
export function workspacePlugin(inputs: () => BuildInputs, hasNames: boolean): Plugin {
  return {
    name: 'workspace',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: hasNames ? /.*/ : PATHS }, (args) => resolveImport(args, inputs()));
      onLoad({ filter: /.*/, namespace: WORKSPACE }, ({ path, suffix }) => load(path, suffix, inputs()));
      onLoad({ filter: /.*/, namespace: INLINE }, ({ path }) => {
        const source = inputs().inline.get(path);
        if (source === undefined) return undefined;
        return { contents: withAddress(source.path, source.text, inputs()), loader: source.loader };
      });
      onLoad({ filter: /.*/, namespace: PACKAGE }, async ({ path }) => ({
        contents: await inputs().files.package(path),
        loader: 'js',
      }));
    },
  };
}

async function resolveImport(args: OnResolveArgs, inputs: BuildInputs): Promise<OnResolveResult> {
  const { files, inline, aliases } = inputs;
  const { path, kind, importer } = args;
  if (inline.has(path) && (kind === 'entry-point' || importer === ALL_MODULES)) return { path, namespace: INLINE };
  if (kind === 'entry-point') return { path, namespace: WORKSPACE };
  if (importer === ALL_MODULES) {
    const [file = path, suffix] = path.split(/(?=\?)/);
    return { path: file, namespace: WORKSPACE, ...defined({ suffix }) };
  }
  const isStyle = STYLE_KINDS.has(kind);
  if (/^(data|blob|about):|^#/.test(path)) return { path, external: true };
  if (/^([a-z]+:)?\/\//i.test(path)) {
    // A page can run without a font or an image, but not without a module.
    if (isStyle) return { path, external: true };
    const name = importAt(path);
    return name === undefined ? { errors: [{ text: noNetwork(path) }] } : packageImport(name, inputs);
  }
  const [, plain = path, suffix = ''] = /^([^?]*)(\?.*)?$/.exec(path) ?? [];
  const isPath = /^\.{0,2}\//.test(plain) || plain === '.' || plain === '..';
  const alias = isPath || isStyle ? undefined : aliases.get(plain);
  if (alias !== undefined) return { path: alias, namespace: WORKSPACE, suffix };
  if (!isPath && !isStyle) {
    if (PACKAGES.has(plain)) return packageImport(plain, inputs);
    if (!plain.startsWith('@/')) return { errors: [{ text: noPackage(plain) }] };
  }
  const paths = pathsOf(plain, dirname(importer.replace(/#\d+$/, '')));
  const found = await files.find(isStyle ? paths : paths.flatMap(withEndings));
  if (found !== undefined) return { path: found, namespace: WORKSPACE, suffix };
  const endings =
    isStyle || /\.\w+$/.test(plain) ? '' : `, also with ${SCRIPT_ENDINGS.join(', ')} and as a folder’s index`;
  const text = noFileFor(path, paths, endings);
  // As in any browser, a missing file in a style does not prevent the page from running.
  return kind === 'url-token' ? { path, external: true, warnings: [{ text }] } : { errors: [{ text }] };
}

const packageImport = (name: string, { isAlone = false }: BuildInputs): OnResolveResult =>
  isAlone ? { path: name, namespace: PACKAGE } : { path: name, external: true };

/** The paths to try for an import. TypeScript files may be imported with their JavaScript extension. */
function withEndings(path: string): string[] {
  const typed = /\.[cm]?jsx?$/.test(path) ? [path.replace(/js(x?)$/, 'ts$1'), path.replace(/jsx?$/, 'tsx')] : [];
  return [
    path,
    ...typed,
    ...SCRIPT_ENDINGS.map((ending) => path + ending),
    ...SCRIPT_ENDINGS.map((ending) => `${path}/index${ending}`),
  ];
}

async function load(path: string, suffix: string, inputs: BuildInputs): Promise<OnLoadResult> {
  const loader = suffix === WITH_REACT ? 'tsx' : loaderFor(path, suffix);
  if (!TEXTS.has(loader)) return { contents: await readForBuild(inputs.files, path), loader };
  const text = await readTextForBuild(inputs.files, path);
  if (!SCRIPTS.has(loader)) return { contents: text, loader };
  const before = suffix === WITH_REACT ? reactFor(text) : '';
  return { contents: before + withAddress(path, text, inputs), loader, warnings: globImports(path, text) };
}

/**
 * Returns a warning for each line with a call that only Vite supports, which would fail when it runs, without a hint what to
 * do instead.
 */
function globImports(path: string, text: string): PartialMessage[] {
  return text.split('\n').flatMap((lineText, index) => {
    const column = lineText.search(/import\.meta\.glob\s*[<(]/);
    const location = { file: path, namespace: WORKSPACE, line: index + 1, column, lineText };
    return column < 0 ? [] : [{ text: NO_GLOB, location }];
  });
}

const NO_GLOB = 'import.meta.glob is not available in a preview: import each file by its path.';

/**
 * Returns a better message for an error of the bundler about an import that it could not resolve; undefined for any other
 * error. `file`: the file with the import.
 */
export function importFailure(text: string, file = ''): string | undefined {
  if (/^Could not resolve import\(/.test(text)) return NO_TEMPLATE;
  const [, name] = /^Could not resolve "(.+)"$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  return /\.css$/i.test(file) ? `There is no file for "${name}".` : noPackage(name);
}

const NO_TEMPLATE =
  'A path that is assembled at run time cannot be resolved: pass import() the full path of a file, such as import("./data/en.json").';

const SCRIPTS = new Set<Loader>(['js', 'jsx', 'ts', 'tsx']);

const TEXTS = new Set<Loader>([...SCRIPTS, 'css', 'local-css', 'json', 'text']);

/**
 * The variable that replaces `import.meta.url` in all modules. In a bundle, `import.meta.url` would be the same for each of
 * them.
 */
export const MODULE_ADDRESS = '__studio_address';

/**
 * Defines `MODULE_ADDRESS` as the module's own address, on the first line of the module's text, if that uses
 * `import.meta.url`. Otherwise returns the text unchanged.
 */
function withAddress(path: string, text: string, { isAlone = false }: BuildInputs): string {
  if (!text.includes('import.meta.url')) return text;
  const from = isAlone ? "'file:///'" : 'location.href';
  return `var ${MODULE_ADDRESS} = new URL(${JSON.stringify(encodeURI(path))}, ${from}).href; ${text}`;
}

/**
 * The suffix that is added to a module's path if the page uses Babel to translate the module. The text of `reactFor` is then
 * put before the module's own.
 */
export const WITH_REACT = '?studio-react';

/**
 * Returns the imports to put before code for Babel, so that it has `React` and `ReactDOM` as if they were loaded with a script;
 * empty if the code has imports of its own. `text`: the code.
 */
export const reactFor = (text: string): string =>
  /^\s*import\b/m.test(text)
    ? ''
    : "import * as React from 'react'; import * as __dom from 'react-dom'; import * as __client from 'react-dom/client'; const __roots = new WeakMap(); const ReactDOM = { ...__dom, ...__client, render(element, place) { if (!__roots.has(place)) __roots.set(place, __client.createRoot(place)); __roots.get(place).render(element); } }; ";

function loaderFor(path: string, suffix: string): Loader {
  if (suffix === '?raw') return 'text';
  if (suffix === '?url') return 'dataurl';
  if (/\.module\.css$/i.test(path)) return 'local-css';
  return LOADERS[/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'dataurl';
}

/** Returns the message that a script or module at a network address was not loaded, and what to do instead. */
export const noNetwork = (address: string): string =>
  `${address} was not loaded: a preview has no network access. Put the file into the workspace, or import one of these packages by name: ${packageNames()}.`;

/**
 * Returns the message that something other than a script, such as a style or an image, was not loaded from a network
 * address, and what to do instead.
 */
export const notLoaded = (address: string): string =>
  `${address} was not loaded: a preview has no network access. Put the file into the workspace.`;

/** Returns the message that a preview does not have a package, and which ones it has. */
export const noPackage = (name: string): string =>
  `There is no package "${name}": a preview has no network access and no npm. These packages can be imported: ${packageNames()}. To import a file, use a path that starts with ./, ../ or /.`;

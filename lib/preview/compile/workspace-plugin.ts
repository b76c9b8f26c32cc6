import type { Loader, OnLoadResult, OnResolveArgs, OnResolveResult, PartialMessage, Plugin } from 'esbuild-wasm';
import { dirname } from '#lib/vfs/paths.ts';
import { type BuildFiles, INLINE, readForBuild, WORKSPACE } from '../built-page.ts';
import { importAt, PACKAGES, packageNames } from '../packages.ts';
import { pathsOf } from './addresses.ts';

/** Packages that become part of what is built. */
const PACKAGE = 'package';

/** A module or a style that stands in a page. Its lines are those of the page. */
export interface InlineSource {
  path: string;
  text: string;
  loader: Loader;
}

/** The entry that runs a page's modules one after the other. */
export const ALL_MODULES = 'all-modules';

/** Its text. As in any browser, one that throws does not keep the next from running. */
export function allModules(modules: readonly string[]): string {
  const [only] = modules;
  if (modules.length === 1) return `import ${JSON.stringify(only)};`;
  const runs = modules.map((path) => `await run(() => import(${JSON.stringify(path)}));`);
  return `const run = async (load) => { try { await load(); } catch (error) { reportError(error); } };\n${runs.join('\n')}`;
}

/** What one build reads from. */
export interface BuildInputs {
  files: BuildFiles;
  /** By name, such as `/index.html#0`. */
  inline: ReadonlyMap<string, InlineSource>;
  /** What the page's import map says of files: paths by the names that stand for them. */
  aliases: ReadonlyMap<string, string>;
  /** Packages become part of what is built: where it runs, nothing can be imported. */
  isAlone?: boolean;
}

const SCRIPT_ENDINGS = ['.tsx', '.ts', '.jsx', '.js', '.mjs', '.json', '.css'];

const LOADERS: Readonly<Record<string, Loader>> = {
  ts: 'ts',
  mts: 'ts',
  cts: 'ts',
  tsx: 'tsx',
  // Much JSX is written into files that are called .js.
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

/** All but plain names: the bundler knows the packages by itself, and being asked about each import of them takes it long. */
const PATHS = /^[./@#]|^[a-z]+:|\.\w+$|[?#]|^all-modules$/i;

/**
 * How imports lead to files of the workspace, to vendored packages, or to an error that says what was looked for.
 * `hasNames`: whether plain names can mean something else than a package that stays outside.
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
    return { path: file, namespace: WORKSPACE, ...(suffix !== undefined && { suffix }) };
  }
  const isStyle = STYLE_KINDS.has(kind);
  if (/^(data|blob|about):|^#/.test(path)) return { path, external: true };
  if (/^([a-z]+:)?\/\//i.test(path)) {
    // A font or a picture that is not there leaves the page as it is; a module that is not there does not.
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
  const looked = paths.join(' and ') || 'nothing, as it leads out of the workspace';
  const endings =
    isStyle || /\.\w+$/.test(plain) ? '' : `, also with ${SCRIPT_ENDINGS.join(', ')} and as a folder’s index`;
  const text = `There is no file for "${path}". Looked for ${looked}${endings}.`;
  // What a style only shows does not keep the page from running, as in any browser.
  return kind === 'url-token' ? { path, external: true, warnings: [{ text }] } : { errors: [{ text }] };
}

const packageImport = (name: string, { isAlone = false }: BuildInputs): OnResolveResult =>
  isAlone ? { path: name, namespace: PACKAGE } : { path: name, external: true };

/** TypeScript is imported under the name that it would have as JavaScript. */
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
  const contents = await readForBuild(inputs.files, path);
  const loader = suffix === WITH_REACT ? 'tsx' : loaderFor(path, suffix);
  if (!SCRIPTS.has(loader)) return { contents, loader };
  const text = new TextDecoder().decode(contents);
  const before = suffix === WITH_REACT ? reactFor(text) : '';
  return { contents: before + withAddress(path, text, inputs), loader, warnings: globImports(path, text) };
}

/** Calls that only Vite knows are errors of the page when they run, with nothing said of what to do instead. */
function globImports(path: string, text: string): PartialMessage[] {
  return text.split('\n').flatMap((lineText, index) => {
    const column = lineText.search(/import\.meta\.glob\s*[<(]/);
    const location = { file: path, namespace: WORKSPACE, line: index + 1, column, lineText };
    return column < 0 ? [] : [{ text: NO_GLOB, location }];
  });
}

const NO_GLOB = 'import.meta.glob is not there in a preview: import each file by its path.';

/** What it comes to that the bundler says of an import, by itself. */
export function importFailure(text: string, file = ''): string | undefined {
  if (/^Could not resolve import\(/.test(text)) return NO_TEMPLATE;
  const [, name] = /^Could not resolve "(.+)"$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  return /\.css$/i.test(file) ? `There is no file for "${name}".` : noPackage(name);
}

const NO_TEMPLATE =
  'A path that is put together from parts cannot be followed: give import() the whole path of a file, such as import("./data/en.json").';

const SCRIPTS = new Set<Loader>(['js', 'jsx', 'ts', 'tsx']);

/** What `import.meta.url` becomes: in a bundle there is one for all modules. */
export const MODULE_ADDRESS = '__studio_address';

/** A module that knows its own address, in the line that it begins with. */
function withAddress(path: string, text: string, { isAlone = false }: BuildInputs): string {
  if (!text.includes('import.meta.url')) return text;
  const from = isAlone ? "'file:///'" : 'location.href';
  return `var ${MODULE_ADDRESS} = new URL(${JSON.stringify(encodeURI(path))}, ${from}).href; ${text}`;
}

/** Of a module that a page gives to Babel. */
export const WITH_REACT = '?studio-react';

/** Such code has React without importing it, in the shape that it had when it was loaded by a script. */
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

export const noNetwork = (address: string): string =>
  `${address} is not loaded: a preview has no network. Put the file into the workspace, or import one of the packages that are there by name: ${packageNames()}.`;

/** The same of what is no script. */
export const notLoaded = (address: string): string =>
  `${address} is not loaded: a preview has no network. Put the file into the workspace.`;

export const noPackage = (name: string): string =>
  `There is no package "${name}": a preview has no network and no npm. These can be imported: ${packageNames()}. Files are imported by a path that begins with ./, ../ or /.`;

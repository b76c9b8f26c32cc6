import * as z from 'zod';
import { PACKAGES, PREVIEW_FILES, REACT_TYPES_FILE } from '#lib/sandbox/preview/packages.ts';
import { dirname, resolvePath } from '#lib/vfs/paths.ts';
import { importsOf, type ModuleImport } from './module-imports.ts';

/** The modules of a workspace, as needed to resolve their imports. */
interface ModuleSources {
  /** Texts by path, as far as the language services have them. */
  texts: ReadonlyMap<string, string>;
  /** Checks whether there is a file of any type at a path. */
  has(path: string): boolean;
}

/** An import that cannot be resolved. */
export interface MissingModule {
  specifier: string;
  /** Where the specifier’s literal begins in the text. */
  offset: number;
}

interface ModuleTypes {
  /** Declarations by path, for imported modules without types of their own. */
  declarations: ReadonlyMap<string, string>;
  /** Imports that cannot be resolved, by the path of the importing file. */
  missing: ReadonlyMap<string, readonly MissingModule[]>;
}

/**
 * Makes type declarations for the imports in a workspace's modules that TypeScript cannot resolve by itself, for the language
 * services of the editor. `@/` is the source folder, as in previews. Modules that have no types here are `any`, with every name
 * that is imported from them: packages of previews or of a manifest, URLs, files that are not scripts, and modules that cannot
 * be found. The latter are also reported as missing. `hasReactTypes`: whether the types of React are loaded, so that imports of
 * React need nothing.
 */
export function resolveModules(sources: ModuleSources, hasReactTypes: boolean): ModuleTypes {
  const known = knownPackages(sources.texts);
  const untyped = new Map<string, Names>();
  const declarations = new Map<string, string>();
  const missing = new Map<string, MissingModule[]>();
  const declared = declaredModules(sources.texts);
  for (const [path, text] of sources.texts) {
    if (path.endsWith('.json') || !/\b(?:import|export)\b/.test(text)) continue;
    for (const one of cachedImports(path, text)) {
      const { specifier, offset } = one;
      if (declared(specifier) || (hasReactTypes && REACT.test(specifier))) continue;
      const target = resolveModule(specifier, path, sources);
      if (target?.type === 'module' && specifier.startsWith('@/')) {
        declarations.set(`/node_modules/${withoutEnding(specifier)}.d.ts`, reexport(specifier, target.path));
        continue;
      }
      if (target?.type === 'module') continue;
      const key = isPath(specifier) ? declarationPath(specifier, path) : specifier;
      if (key !== undefined) addNames(untyped, key, one, text);
      if (target === undefined && !known(specifier))
        missing.set(path, [...(missing.get(path) ?? []), { specifier, offset }]);
    }
  }
  const ambient: string[] = [];
  for (const [key, names] of untyped)
    if (isPath(key)) declarations.set(key, names.declare('declare '));
    else ambient.push(`declare module ${JSON.stringify(key)} {\n${names.declare('')}\n}`);
  declarations.set('/node_modules/untyped.d.ts', ambient.join('\n'));
  return { declarations, missing };
}

/** Checks whether any of the sources, which are texts by path, is a JSX file (by its ending), or names React as a module. */
export function needsReactTypes(sources: ReadonlyMap<string, string>): boolean {
  for (const [path, text] of sources)
    if (/\.[jt]sx$/.test(path) || /['"]react(?:-dom)?(?:\/[\w-]+)?['"]/.test(text)) return true;
  return false;
}

let loading: Promise<ReadonlyMap<string, string> | undefined> | undefined;

/**
 * Loads the type declarations of React and React DOM, once. Resolves with them by path, or with undefined after a failure;
 * the next call then tries again.
 */
export function loadReactTypes(): Promise<ReadonlyMap<string, string> | undefined> {
  loading ??= fetchTypes().catch(() => {
    loading = undefined;
    return undefined;
  });
  return loading;
}

async function fetchTypes(): Promise<ReadonlyMap<string, string>> {
  const response = await fetch(`${PREVIEW_FILES}/${REACT_TYPES_FILE}`);
  if (!response.ok) throw new Error(`${REACT_TYPES_FILE}: ${response.status}`);
  return new Map(Object.entries(z.record(z.string(), z.string()).parse(await response.json())));
}

const REACT = /^react(?:-dom)?(?:\/(?:jsx-runtime|jsx-dev-runtime|compiler-runtime|client|server|static))?$/;

const isPath = (specifier: string): boolean => /^(?:\.{0,2}\/|\.{1,2}$)/.test(specifier);

/** The target of an import: a module that TypeScript knows, another file, or nothing. */
type Target = { type: 'module'; path: string } | { type: 'file' } | undefined;

const ENDINGS = ['.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mts', '.mjs', '.cts', '.cjs'];

function resolveModule(specifier: string, from: string, { texts, has }: ModuleSources): Target {
  const plain = specifier.replace(/\?.*$/, '');
  const bases = plain.startsWith('@/')
    ? [`/src/${plain.slice(2)}`, plain.slice(1)]
    : isPath(plain)
      ? [plain.startsWith('/') ? plain : `${dirname(from)}/${plain}`]
      : [];
  for (const base of bases) {
    const path = resolved(base);
    if (path === undefined) continue;
    const candidates = [
      path,
      ...ENDINGS.map((ending) => path + ending),
      ...ENDINGS.map((ending) => `${path === '/' ? '' : path}/index${ending}`),
      ...[path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2'), path.replace(/\.jsx?$/, '.tsx')],
    ];
    const found = candidates.find((candidate) => texts.has(candidate));
    // TypeScript would interpret absolute paths and queries differently.
    if (found !== undefined && !plain.startsWith('/') && plain === specifier) return { type: 'module', path: found };
    if (candidates.some(has)) return { type: 'file' };
  }
  return undefined;
}

function resolved(path: string): string | undefined {
  try {
    return resolvePath(path);
  } catch {
    // It is no path in a workspace, so no file can be meant.
    return undefined;
  }
}

/** The path at which TypeScript looks for declarations of an imported file; undefined if it is outside the workspace. */
function declarationPath(specifier: string, from: string): string | undefined {
  const path = resolved(specifier.startsWith('/') ? specifier : `${dirname(from)}/${specifier}`);
  return path === undefined ? undefined : `${withoutEnding(path)}.d.ts`;
}

const withoutEnding = (path: string): string => path.replace(/\.[cm]?[jt]sx?$/, '');

/** The declarations, below `/node_modules`, of a specifier that refers to a module of the workspace. */
function reexport(specifier: string, path: string): string {
  const from = JSON.stringify(`${'../'.repeat(specifier.split('/').length)}${withoutEnding(path).slice(1)}`);
  return `export * from ${from};\nexport { default } from ${from};\n`;
}

/** The names imported from a module without types. */
class Names {
  readonly #names = new Map<string, Set<string>>();

  add(name: string, parts: Iterable<string>): void {
    const known = this.#names.get(name) ?? new Set();
    for (const part of parts) known.add(part);
    this.#names.set(name, known);
  }

  /** Declares each name as a value, a type, and a namespace, since it is unknown which of them it is. */
  declare(modifier: '' | 'declare '): string {
    const lines = [...this.#names].map(([name, parts], index) => {
      const own = `_${index}`;
      const types = [...parts].map((part) => `export type ${part}${PARAMETERS} = any;`).join(' ');
      const exported = IDENTIFIER.test(name) ? name : JSON.stringify(name);
      return `${modifier}const ${own}: any; ${modifier}type ${own}${PARAMETERS} = any; ${modifier}namespace ${own} { ${types} } export { ${own} as ${exported} };`;
    });
    return [...lines, 'export {};'].join('\n');
  }
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

const PARAMETERS = `<${Array.from({ length: 8 }, (_, index) => `P${index} = any`).join(', ')}>`;

function addNames(modules: Map<string, Names>, key: string, { bindings }: ModuleImport, text: string): void {
  const names = modules.get(key) ?? new Names();
  modules.set(key, names);
  for (const { name, local } of bindings) {
    const parts = local === undefined ? [] : partsOf(local, text);
    if (name !== '*') names.add(name, parts);
    else for (const part of parts) names.add(part, []);
  }
}

/** Finds the names that follow `local` and a dot in a text, and may be names of types. */
function partsOf(local: string, text: string): Set<string> {
  const escaped = local.replaceAll('$', '\\$');
  const pattern = new RegExp(`(?<![\\w$.])${escaped}\\s*\\.\\s*([A-Za-z_][\\w$]*)`, 'g');
  const parts = new Set(Array.from(text.matchAll(pattern), ([, part = '']) => part));
  for (const word of RESERVED) parts.delete(word);
  return parts;
}

/** Words that cannot be the name of a type. */
const RESERVED = [
  'any unknown never void null undefined string number boolean symbol object bigint default delete import export class',
  'function return new this typeof in of if else for while do switch case break continue var let const enum with super',
  'try catch finally throw instanceof extends true false debugger yield await static',
]
  .join(' ')
  .split(' ');

const imports = new Map<string, { text: string; imports: readonly ModuleImport[] }>();
/** The maximum number of files whose imports are cached. */
const MAX_KEPT = 4_000;

function cachedImports(path: string, text: string): readonly ModuleImport[] {
  const known = imports.get(path);
  if (known?.text === text) return known.imports;
  const found = importsOf(text, { jsx: !/\.[cm]?ts$/.test(path) });
  if (imports.size >= MAX_KEPT) imports.clear();
  imports.set(path, { text, imports: found });
  return found;
}

/**
 * Returns a function that checks whether a declaration in the workspace (`declare module`) describes the module of a specifier.
 */
function declaredModules(texts: ReadonlyMap<string, string>): (specifier: string) => boolean {
  const names = new Set<string>();
  const patterns: RegExp[] = [];
  for (const text of texts.values()) {
    if (!text.includes('declare module')) continue;
    for (const [, name = ''] of text.matchAll(/\bdeclare module\s+["']([^"'\n]+)["']/g))
      if (name.includes('*')) patterns.push(toPattern(name));
      else names.add(name);
  }
  return (specifier) => names.has(specifier) || patterns.some((pattern) => pattern.test(specifier));
}

const toPattern = (name: string): RegExp =>
  new RegExp(
    `^${name
      .split('*')
      .map((part) => part.replace(/[$()+.?[\\\]^{|}]/g, '\\$&'))
      .join('.*')}$`,
  );

const KINDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
const manifestSchema = z.object(
  Object.fromEntries(KINDS.map((kind) => [kind, z.record(z.string(), z.unknown()).catch({})])),
);

/**
 * Returns a function that checks whether a specifier refers to a module that exists when the code runs: a package of
 * previews or of a manifest, a URL, or an alias from the workspace’s configuration.
 */
function knownPackages(texts: ReadonlyMap<string, string>): (specifier: string) => boolean {
  const packages = new Set<string>();
  const patterns: RegExp[] = [/^https?:\/\//, /^(?:data|blob):/];
  for (const [path, text] of texts) {
    if (path.endsWith('/package.json'))
      for (const name of dependenciesIn(text)) {
        if (name === '@types/node') patterns.push(/^node:/);
        packages.add(name.replace(/^@types\/(?:(.+)__)?/, (_, scope?: string) => (scope ? `@${scope}/` : '')));
      }
    else if (/\/[jt]sconfig[^/]*\.json$/.test(path)) patterns.push(...aliasesIn(text).map(toPattern));
  }
  return (specifier) => {
    const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
    return PACKAGES.has(specifier) || packages.has(name) || patterns.some((pattern) => pattern.test(specifier));
  };
}

function dependenciesIn(manifest: string): string[] {
  try {
    return Object.values(manifestSchema.parse(JSON.parse(manifest))).flatMap((packages) => Object.keys(packages));
  } catch {
    // It may be invalid, for example while somebody edits it.
    return [];
  }
}

/** The keys of `paths` in a configuration of TypeScript. It may contain comments, so it is not parsed as JSON. */
function aliasesIn(configuration: string): string[] {
  const [, paths = ''] = /"paths"\s*:\s*\{([^}]*)\}/.exec(configuration) ?? [];
  return Array.from(paths.matchAll(/"([^"]+)"\s*:/g), ([, key = '']) => key).filter((key) => key !== '*');
}

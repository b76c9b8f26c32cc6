/** The path under which the studio serves additional files for previews. */
export const PREVIEW_FILES = '/preview-files';

/** The name of a file below `PREVIEW_FILES`: the type declarations of React and React DOM, as JSON with texts by path. */
export const REACT_TYPES_FILE = 'react-types.json';

/**
 * The npm packages that pages can import by name, from the studio's own build, with the packages that each one imports. The
 * studio's build fails if this list is incorrect.
 */
export const PACKAGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['react', []],
  ['react/jsx-runtime', ['react']],
  ['react-dom', ['react']],
  ['react-dom/client', ['react', 'react-dom']],
  ['zustand', ['react']],
  ['zustand/middleware', []],
  ['zustand/react/shallow', ['react']],
  ['clsx', []],
  ['lucide-react', ['react']],
  ['marked', []],
  ['zod', []],
  ['d3', []],
  ['chart.js', []],
  ['chart.js/auto', []],
  ['three', []],
  ['three/addons/controls/OrbitControls.js', ['three']],
  ['vue', []],
  ['jquery', []],
]);

/** Packages that pages often load as globals by a script from a CDN; the studio's own build provides these scripts instead. */
export const GLOBALS: ReadonlySet<string> = new Set([
  'react',
  'react-dom',
  'd3',
  'chart.js',
  'three',
  'vue',
  'jquery',
  'marked',
  'tailwindcss',
]);

/** Returns the path, below `PREVIEW_FILES`, of the script that defines a package as globals. */
export const globalFile = (name: string): string => `globals/${name}.js`;

/**
 * The package that an address on an npm CDN refers to, under the name by which it is imported, such as `d3` for
 * `https://cdn.jsdelivr.net/npm/d3@7/+esm`, and the path in it. Undefined for any other address.
 */
function packageAt(address: string): { name: string; path: string } | undefined {
  const [, found = ''] = PACKAGE_SERVERS.exec(address) ?? [];
  const [, name = '', path = ''] = /^((?:@[^/]+\/)?[^/@?#]+)(?:@[^/?#]*)?\/?([^?#]*)/.exec(found) ?? [];
  const known = OTHER_NAMES.get(name.toLowerCase()) ?? name;
  return known === '' ? undefined : { name: known, path };
}

/**
 * Matches an address on an npm CDN or a package's own server, and captures the part of it that begins with the package's
 * name.
 */
const PACKAGE_SERVERS =
  /^(?:https?:)?\/\/(?:unpkg\.com\/|cdn\.jsdelivr\.net\/npm\/|esm\.(?:sh|run)\/|cdn\.skypack\.dev\/|cdnjs\.cloudflare\.com\/ajax\/libs\/|code\.(?=jquery\.com)|(?=d3js\.org)|cdn\.(?=tailwindcss\.com))(.+)/i;

/** Packages by their names on their own servers and on cdnjs. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['three.js', 'three'],
  ['chart.js', 'chart.js'],
  ['jquery.com', 'jquery'],
  ['d3js.org', 'd3'],
  ['tailwindcss.com', 'tailwindcss'],
  ['@tailwindcss/browser', 'tailwindcss'],
]);

/**
 * Returns the package in `GLOBALS` that the script at a CDN's address defines as a global; undefined for any other address.
 */
export function globalAt(address: string): string | undefined {
  const { name, path } = packageAt(address) ?? { name: '', path: '' };
  if (!GLOBALS.has(name)) return undefined;
  if (path === '' || name === 'tailwindcss') return name;
  const file = path.replace(/^r?\d[^/]*\//, '').replace(/^(dist|build|umd|lib)\//, '');
  // Plugins and parts of the package are separate files.
  const [, base = ''] =
    /^(.*?)(?:[.-](?:v?\d+|slim|umd|global|production|development|prod|min))*\.js$/i.exec(file) ?? [];
  return base.toLowerCase() === name.replace(/\.js$/, '') ? name : undefined;
}

/** Returns the name in `PACKAGES` by which the module at a CDN's address can be imported; undefined if there is none. */
export function importAt(address: string): string | undefined {
  const found = packageAt(address);
  if (found === undefined) return undefined;
  const { name } = found;
  const path = found.path.replace(/^examples\/jsm\//, 'addons/');
  const whole = `${name}/${path}`;
  if (PACKAGES.has(whole)) return whole;
  // Files in these folders are builds of the whole package.
  if (path !== '' && !/^(\+esm$|build\/|dist\/|lib\/|es\/|[^/]*\.m?js$)/.test(path)) return undefined;
  const automatic = `${name}/auto`;
  return [automatic, name].find((candidate) => PACKAGES.has(candidate));
}

/** Returns the names of all packages in `PACKAGES`, separated by commas, for messages to users and models. */
export const packageNames = (): string => [...PACKAGES.keys()].join(', ');

/** Returns the path, below `PREVIEW_FILES`, of the module of a package in `PACKAGES`. */
export const packageFile = (name: string): string => `packages/${name.replaceAll('/', '__').replace(/\.js$/, '')}.js`;

/** Returns these packages and all packages that they import, directly or not. */
export function withImports(names: Iterable<string>): Set<string> {
  const all = new Set<string>();
  const add = (name: string): void => {
    if (all.has(name)) return;
    all.add(name);
    for (const imported of PACKAGES.get(name) ?? []) add(imported);
  };
  for (const name of names) add(name);
  return all;
}

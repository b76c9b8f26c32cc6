/** Where the studio serves what previews need besides the workspace. */
export const PREVIEW_FILES = '/preview-files';

/** The declarations of React and React DOM among them: texts by path, in JSON. */
export const REACT_TYPES_FILE = 'react-types.json';

/**
 * The npm packages that pages can import by name, from the studio's own build, with those that they import themselves.
 * The build fails where this does not say what is so.
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

/** Packages that pages load with a script from another server, and then have as a global: given from the studio's own build. */
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

export const globalFile = (name: string): string => `globals/${name}.js`;

/**
 * The package that an address on one of the servers that hand out npm packages means, by the name under which it is
 * imported, as far as the studio has it; `d3` for `https://cdn.jsdelivr.net/npm/d3@7/+esm`.
 */
export function packageAt(address: string): { name: string; path: string } | undefined {
  const [, found = ''] = PACKAGE_SERVERS.exec(address) ?? [];
  const [, name = '', path = ''] = /^((?:@[^/]+\/)?[^/@?#]+)(?:@[^/?#]*)?\/?([^?#]*)/.exec(found) ?? [];
  const known = OTHER_NAMES.get(name.toLowerCase()) ?? name;
  return known === '' ? undefined : { name: known, path };
}

/** What stands before a package's name. */
const PACKAGE_SERVERS =
  /^(?:https?:)?\/\/(?:unpkg\.com\/|cdn\.jsdelivr\.net\/npm\/|esm\.(?:sh|run)\/|cdn\.skypack\.dev\/|cdnjs\.cloudflare\.com\/ajax\/libs\/|code\.(?=jquery\.com)|(?=d3js\.org)|cdn\.(?=tailwindcss\.com))(.+)/i;

/** Packages by the names that servers of their own, and cdnjs, have for them. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['three.js', 'three'],
  ['chart.js', 'chart.js'],
  ['jquery.com', 'jquery'],
  ['d3js.org', 'd3'],
  ['tailwindcss.com', 'tailwindcss'],
  ['@tailwindcss/browser', 'tailwindcss'],
]);

/** The package of which a script at that address makes a global; undefined where the studio has nothing like it. */
export function globalAt(address: string): string | undefined {
  const { name, path } = packageAt(address) ?? { name: '', path: '' };
  if (!GLOBALS.has(name)) return undefined;
  if (path === '' || name === 'tailwindcss') return name;
  const file = path.replace(/^r?\d[^/]*\//, '').replace(/^(dist|build|umd|lib)\//, '');
  // Plugins and parts of it are files beside it.
  const [, base = ''] =
    /^(.*?)(?:[.-](?:v?\d+|slim|umd|global|production|development|prod|min))*\.js$/i.exec(file) ?? [];
  return base.toLowerCase() === name.replace(/\.js$/, '') ? name : undefined;
}

/** By which name a module of that address can be imported; undefined where the studio has nothing like it. */
export function importAt(address: string): string | undefined {
  const found = packageAt(address);
  if (found === undefined) return undefined;
  const { name } = found;
  const path = found.path.replace(/^examples\/jsm\//, 'addons/');
  const whole = `${name}/${path}`;
  if (PACKAGES.has(whole)) return whole;
  // What is in such folders is the package as a whole, in some form of it.
  if (path !== '' && !/^(\+esm$|build\/|dist\/|lib\/|es\/|[^/]*\.m?js$)/.test(path)) return undefined;
  const automatic = `${name}/auto`;
  return [automatic, name].find((candidate) => PACKAGES.has(candidate));
}

/** For people and models. */
export const packageNames = (): string => [...PACKAGES.keys()].join(', ');

export const packageFile = (name: string): string => `packages/${name.replaceAll('/', '__').replace(/\.js$/, '')}.js`;

/** A package with all that comes with it. */
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

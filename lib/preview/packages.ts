/** Where the studio serves what previews need besides the workspace. */
export const PREVIEW_FILES = '/preview-files';

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
  ['clsx', []],
  ['lucide-react', ['react']],
  ['marked', []],
  ['zod', []],
  ['d3', []],
  ['chart.js', []],
  ['chart.js/auto', []],
  ['three', []],
  ['three/addons/controls/OrbitControls.js', ['three']],
]);

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

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild-wasm';
import { reactFor } from '#lib/sandbox/preview/compile/workspace-plugin.ts';
import {
  GLOBALS,
  globalFile,
  PACKAGES,
  PREVIEW_FILES,
  packageFile,
  REACT_TYPES_FILE,
} from '#lib/sandbox/preview/packages.ts';
import { readReactTypes } from './react-types.ts';
import { ROOT } from './run.ts';

const FOLDER = join(ROOT, 'public', PREVIEW_FILES);
const STAMP = join(FOLDER, 'made-of');
const MADE_OF = [
  'package-lock.json',
  'lib/sandbox/preview/packages.ts',
  'lib/sandbox/preview/compile/workspace-plugin.ts',
  'scripts/lib/react-types.ts',
];
/** The studio's code that runs in the preview's frame. */
const FRAME_SCRIPTS = join(ROOT, 'lib/sandbox/preview/frame');
/** The kernel, the script of the sandbox's frames. */
const KERNEL = join(ROOT, 'lib/sandbox/kernel');

/** The kernel as frames get it. Like all these files, it is public, but as text, which no page runs as a script. */
export const KERNEL_FILE = join(FOLDER, 'kernel.txt');

/** The small functions that these scripts share with the studio. */
const BASE = join(ROOT, 'lib/base');

/** The script that draws diagrams, and the sources that it is made of, apart from packages. */
const DIAGRAMS = join(ROOT, 'lib/sandbox/diagrams');

/** By name, so that exports can be determined: those of a CommonJS module are known only once it is loaded. */
const MODULES: ReadonlyMap<string, () => Promise<object>> = new Map<string, () => Promise<object>>([
  ['react', () => import('react')],
  ['react/jsx-runtime', () => import('react/jsx-runtime')],
  ['react-dom', () => import('react-dom')],
  ['react-dom/client', () => import('react-dom/client')],
  ['zustand', () => import('zustand')],
  ['zustand/middleware', () => import('zustand/middleware')],
  ['zustand/react/shallow', () => import('zustand/react/shallow')],
  ['clsx', () => import('clsx')],
  ['lucide-react', () => import('lucide-react')],
  ['marked', () => import('marked')],
  ['zod', () => import('zod')],
  ['d3', () => import('d3')],
  ['chart.js', () => import('chart.js')],
  ['chart.js/auto', () => import('chart.js/auto')],
  ['three', () => import('three')],
  ['three/addons/controls/OrbitControls.js', () => import('three/addons/controls/OrbitControls.js')],
  ['vue', () => import('vue')],
  // It has only a default export, and cannot be loaded without a window.
  ['jquery', async () => ({})],
]);

/** As Babel's code expects them. */
const REACT_GLOBALS = `${reactFor('')} globalThis.React = { ...React }; globalThis.ReactDOM = ReactDOM;`;

/** Modules that provide a package as the global that its own script would define. */
const GLOBAL_MODULES: ReadonlyMap<string, string> = new Map([
  ['react', REACT_GLOBALS],
  // `react` is part of it: there must be only one React.
  ['react-dom', 'if (globalThis.ReactDOM === undefined) throw new Error("Load react before react-dom.");'],
  ['d3', "import * as d3 from 'd3'; globalThis.d3 = { ...d3 };"],
  ['chart.js', "import Chart from 'chart.js/auto'; globalThis.Chart = Chart;"],
  ['three', "import * as THREE from 'three'; globalThis.THREE = { ...THREE };"],
  ['vue', "import * as Vue from 'vue'; globalThis.Vue = { ...Vue };"],
  ['jquery', "import $ from 'jquery'; globalThis.jQuery = globalThis.$ = $;"],
  ['marked', "import * as marked from 'marked'; globalThis.marked = { ...marked };"],
  // Pages written for its version 3 configure it through a property of this object.
  ['tailwindcss', "import '@tailwindcss/browser'; globalThis.tailwind = {};"],
]);

/**
 * Builds what previews load: the vendored packages as modules, the bundler, and the scripts that run in the frame; the
 * sandbox's kernel; the script that draws diagrams; and React’s types, which the editor loads. Does nothing if the files are up to date. Throws if a
 * package imports others than the list says.
 */
export async function ensurePreviewFiles(): Promise<void> {
  const stamp = hashInputs();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  cpSync(join(ROOT, 'node_modules/esbuild-wasm/esbuild.wasm'), join(FOLDER, 'esbuild.wasm'));
  await Promise.all([
    ...[...PACKAGES].map(([name, imports]) => buildPackage(name, imports)),
    ...[...GLOBALS].map((name) => buildGlobal(name)),
    buildFrameScripts(),
    buildKernel(),
    buildDiagrams(),
  ]);
  writeFileSync(join(FOLDER, REACT_TYPES_FILE), JSON.stringify(readReactTypes()));
  writeFileSync(STAMP, stamp);
}

function hashInputs(): string {
  const hash = createHash('sha256');
  const scripts = [FRAME_SCRIPTS, KERNEL, DIAGRAMS, BASE].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const path of [...MADE_OF.map((name) => join(ROOT, name)), import.meta.filename, ...scripts])
    hash.update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

const OPTIONS = {
  bundle: true,
  target: 'es2022',
  // Development messages are worth more to whoever fixes the page than a smaller size.
  define: { 'process.env.NODE_ENV': '"development"' },
  // The build of Vue that includes the template compiler, since pages contain templates.
  alias: { vue: 'vue/dist/vue.esm-browser.js' },
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'inline',
  logLevel: 'error',
} as const satisfies BuildOptions;

/** Names that Node adds to the exports of CommonJS, and names that are exported separately. */
const NOT_NAMES = new Set(['default', 'module.exports', '__esModule']);

async function buildPackage(name: string, imports: readonly string[]): Promise<void> {
  const load = MODULES.get(name);
  if (load === undefined)
    throw new Error(`lib/sandbox/preview/packages.ts lists ${name}, which the build does not know.`);
  const names = Object.keys(await load()).filter((key) => !NOT_NAMES.has(key));
  const result = await build({
    stdin: {
      contents: `export { ${names.join(', ')} } from '${name}';\nimport * as all from '${name}';\nexport default all.default ?? all;`,
      resolveDir: ROOT,
    },
    ...OPTIONS,
    format: 'esm',
    metafile: true,
    outfile: join(FOLDER, packageFile(name)),
    plugins: [shared(name)],
  });
  const found = new Set(
    Object.values(result.metafile.outputs).flatMap((output) =>
      output.imports.flatMap(({ path, external }) => (external ? [path] : [])),
    ),
  );
  const listed = [...imports].sort().join(', ');
  if ([...found].sort().join(', ') !== listed)
    throw new Error(
      `${name} imports ${[...found].join(', ') || 'nothing'}; lib/sandbox/preview/packages.ts says ${listed || 'nothing'}.`,
    );
}

async function buildGlobal(name: string): Promise<void> {
  const contents = GLOBAL_MODULES.get(name);
  if (contents === undefined)
    throw new Error(`lib/sandbox/preview/packages.ts lists ${name}, which the build does not know.`);
  await build({
    stdin: { contents, resolveDir: ROOT },
    ...OPTIONS,
    format: 'iife',
    outfile: join(FOLDER, globalFile(name)),
  });
}

/** Leaves other packages external, so that each exists once on a page. Their `require` calls become imports. */
const shared = (own: string): Plugin => ({
  name: 'shared-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, namespace }) => {
      if (path === own || !PACKAGES.has(path)) return undefined;
      return kind === 'require-call' && namespace !== 'imported'
        ? { path, namespace: 'imported' }
        : { path, external: true };
    });
    onLoad({ filter: /.*/, namespace: 'imported' }, ({ path }) => ({
      contents: `export * from '${path}'; export { default } from '${path}';`,
    }));
  },
});

async function buildFrameScripts(): Promise<void> {
  const scripts = readdirSync(FRAME_SCRIPTS).filter((name) => /^[^.]+\.ts$/.test(name));
  await build({
    entryPoints: scripts.map((name) => join(FRAME_SCRIPTS, name)),
    bundle: true,
    format: 'iife',
    globalName: 'studioScript',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    outdir: FOLDER,
    logLevel: 'error',
  });
}

/**
 * The kernel is one classic script, which also runs in a worker. It is not strict: evaluated code can make any property
 * read-only, and writing to one must not throw. Functions keep their names, because code sees those in stacks.
 */
async function buildKernel(): Promise<void> {
  await build({
    entryPoints: [join(KERNEL, 'kernel.ts')],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    tsconfigRaw: { compilerOptions: { alwaysStrict: false } },
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    outfile: KERNEL_FILE,
    logLevel: 'error',
  });
}

/** The script that draws diagrams, with all of Mermaid, for a frame that can load nothing else. */
async function buildDiagrams(): Promise<void> {
  await build({
    entryPoints: [join(DIAGRAMS, 'drawer/drawer.ts')],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    // Mermaid asks some objects for the names of their classes.
    keepNames: true,
    legalComments: 'none',
    outfile: join(FOLDER, 'diagrams.js'),
    logLevel: 'error',
  });
}

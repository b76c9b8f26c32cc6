import { parse } from 'acorn';
import {
  type BuildContext,
  type BuildOptions,
  type BuildResult,
  build,
  context,
  type Message,
  type OutputFile,
  transform,
} from 'esbuild-wasm';
import type { PreviewProblem } from '#lib/tools/capabilities/preview.ts';
import {
  type BuildFiles,
  type BuildOutcome,
  type BuiltPage,
  INLINE,
  type PageScript,
  readForBuild,
  readTextForBuild,
  type ScriptOutcome,
  type StripOutcome,
  scriptToken,
  sourcePath,
  WORKSPACE,
} from '../built-page.ts';
import { fileUrl } from '../file-url.ts';
import { PAGE_MAX_CHARS } from '../limits.ts';
import { PACKAGES, withImports } from '../packages.ts';
import { type HtmlPage, MODULES, readHtmlPage } from './html-page.ts';
import { keepLines } from './keep-lines.ts';
import { markdownPage } from './markdown-page.ts';
import {
  ALL_MODULES,
  allModules,
  type BuildInputs,
  importFailure,
  MODULE_ADDRESS,
  noPackage,
  workspacePlugin,
} from './workspace-plugin.ts';

const OUT = '/out/';

const OPTIONS = {
  bundle: true,
  write: false,
  metafile: true,
  target: 'es2022',
  jsx: 'automatic',
  outdir: OUT,
  sourcemap: 'external',
  sourcesContent: false,
  logLevel: 'silent',
  define: {
    'process.env.NODE_ENV': '"development"',
    'import.meta.env': '{"MODE":"development","DEV":true,"PROD":false,"SSR":false,"BASE_URL":"/"}',
    'import.meta.url': MODULE_ADDRESS,
  },
} as const satisfies BuildOptions;

type Result = BuildResult<{ write: false; metafile: true }>;

/**
 * Builds pages of a workspace with the bundler (esbuild). Builds of a page are incremental: they reuse the results of the build
 * before, so that calls of `compile` must not overlap.
 */
export class PageCompiler {
  #inputs: BuildInputs = {
    files: { find: async () => undefined, read: async () => new Uint8Array(), package: async () => '' },
    inline: new Map(),
    aliases: new Map(),
  };
  readonly #whenStarted: () => Promise<void>;
  #context: { signature: string; built: BuildContext<{ write: false; metafile: true }> } | undefined;

  /** `whenStarted` resolves when the bundler can be used. */
  constructor(whenStarted = async () => {}) {
    this.#whenStarted = whenStarted;
  }

  /**
   * Builds the page of the file `entry`: of an HTML file itself, and of any other type of file, a generated page that shows or
   * runs it. The outcome is `failed` if the bundler reports an error or the page is too large; other problems, such as syntax
   * errors in inline scripts, are warnings of the built page. Rejects if the entry, or a file that it refers to, is there but
   * cannot be read.
   */
  async compile(entry: string, files: BuildFiles): Promise<BuildOutcome> {
    const source = pageSource(entry, await readTextForBuild(files, entry));
    const html = await readHtmlPage(entry, source, files);
    const inline = new Map(html.inline);
    const entryPoints: Record<string, string> = Object.fromEntries(html.styles);
    if (html.modules.length > 0) {
      entryPoints[MODULES] = ALL_MODULES;
      inline.set(ALL_MODULES, { path: entry, text: allModules(html.modules), loader: 'js' });
    }
    this.#inputs = { files, inline, aliases: html.aliases };
    const { outputs, problems, packages } = await this.#bundle(entryPoints);
    if (problems.some(({ severity }) => severity === 'error')) return { type: 'failed', problems };
    // In a page generated for another type of file, line numbers are meaningless.
    const start = { path: entry, line: 1, column: 1 };
    const own = /\.html?$/i.test(entry)
      ? html.warnings
      : html.warnings.map((warning) => ({ ...warning, place: start }));
    const warnings = [...own, ...problems, ...(await this.#syntaxProblems(html))];
    return this.#assemble(entry, html, outputs, packages, warnings);
  }

  /** Bundles a workspace script with all its imports, packages included, to run in a worker. */
  async compileScript(path: string, files: BuildFiles): Promise<ScriptOutcome> {
    const inputs: BuildInputs = { files, inline: new Map(), aliases: new Map(), isAlone: true };
    const outputs = new Map<string, string>();
    await this.#whenStarted();
    const result = await build({
      ...OPTIONS,
      entryPoints: { script: path },
      format: 'iife',
      plugins: [workspacePlugin(() => inputs, true)],
    }).catch((error: unknown) => {
      if (isBuildFailure(error)) return error;
      throw error;
    });
    if (!('outputFiles' in result))
      return { type: 'failed', problems: result.errors.map((message) => toProblem(message, 'error')) };
    for (const { path: out, text } of result.outputFiles) outputs.set(out.slice(OUT.length), text);
    const read = Object.keys(result.metafile.inputs).filter((name) => name.startsWith(`${WORKSPACE}:`));
    const script: Required<PageScript> = {
      name: `worker-${path}`,
      text: outputs.get('script.js') ?? '',
      origin: { type: 'map', map: outputs.get('script.js.map') ?? '' },
    };
    return { type: 'built', script, inputs: read.map(sourcePath) };
  }

  /** Removes the types from TypeScript that is not a module. What is left stays on its lines, which errors name. */
  async stripTypes(code: string): Promise<StripOutcome> {
    await this.#whenStarted();
    try {
      const stripped = await transform(code, {
        loader: 'ts',
        target: 'esnext',
        sourcemap: 'external',
        legalComments: 'none',
        logLevel: 'silent',
      });
      return { type: 'stripped', code: keepLines(stripped.code, stripped.map) };
    } catch (error) {
      if (!isBuildFailure(error)) throw error;
      return { type: 'failed', problems: error.errors.map((message) => toProblem(message, 'error')) };
    }
  }

  /** Syntax errors in inline scripts: the browser reports them too, but without the position. */
  async #syntaxProblems({ scripts }: HtmlPage): Promise<PreviewProblem[]> {
    const problems: PreviewProblem[] = [];
    for (const script of scripts.values()) {
      if (!('text' in script) || isScript(script.text)) continue;
      await this.#whenStarted();
      const { path, line, column } = script.origin;
      const failure = await transform(script.text, { loader: 'js', logLevel: 'silent' }).then(
        () => undefined,
        (error: unknown) => (isBuildFailure(error) ? error.errors[0] : undefined),
      );
      if (failure?.location == null) continue;
      const { line: within, column: at } = failure.location;
      const place = { path, line: line + within - 1, column: within === 1 ? column + at : at + 1 };
      problems.push({ severity: 'error', message: `SyntaxError: ${failure.text}`, place });
    }
    return problems;
  }

  async #assemble(
    entry: string,
    html: HtmlPage,
    outputs: ReadonlyMap<string, string>,
    packages: ReadonlySet<string>,
    warnings: readonly PreviewProblem[],
  ): Promise<BuildOutcome> {
    const { files } = this.#inputs;
    const scripts: PageScript[] = [];
    for (const [name, script] of html.scripts) {
      if ('path' in script) {
        const text = await readTextForBuild(files, script.path);
        scripts.push({ name, text, origin: { type: 'file', path: script.path, line: 1, column: 1 } });
      } else scripts.push({ name, origin: script.origin });
    }
    const bundle = outputs.get(`${MODULES}.js`);
    if (bundle !== undefined)
      scripts.push({
        name: MODULES,
        text: bundle,
        origin: { type: 'map', map: outputs.get(`${MODULES}.js.map`) ?? '' },
      });
    const styles = new Map<string, string>();
    for (const name of [...html.styles.keys(), MODULES]) {
      const text = outputs.get(`${name}.css`);
      if (text !== undefined) styles.set(name, text);
    }
    const assets = new Map<string, string>();
    for (const path of html.assets) assets.set(path, fileUrl(path, await readForBuild(files, path)));
    const importMap = { imports: Object.fromEntries([...packages].map((name) => [name, scriptToken(name)])) };
    const text = html.render({
      dataUrl: (path) => assets.get(path) ?? '',
      hasStyle: styles.has(MODULES),
      importMap,
    });
    const page: BuiltPage = { entry, html: text, scripts, styles, packages: [...packages], globals: [...html.globals] };
    const size = [text, ...scripts.map((script) => script.text ?? ''), ...styles.values()].reduce(
      (sum, part) => sum + part.length,
      0,
    );
    if (size > PAGE_MAX_CHARS)
      return {
        type: 'failed',
        problems: [
          {
            severity: 'error',
            message: `The page has ${size} characters with everything that it imports; the maximum is ${PAGE_MAX_CHARS}. Use smaller assets.`,
          },
        ],
      };
    return { type: 'built', page, warnings };
  }

  async #bundle(entryPoints: Record<string, string>) {
    const outputs = new Map<string, string>();
    if (Object.keys(entryPoints).length === 0) return { outputs, problems: [], packages: new Set<string>() };
    await this.#whenStarted();
    let result: Pick<Result, 'errors' | 'warnings'> & { outputFiles?: OutputFile[]; metafile?: Result['metafile'] };
    try {
      result = await (await this.#contextFor(entryPoints)).rebuild();
    } catch (error) {
      if (!isBuildFailure(error)) throw error;
      result = error;
    }
    for (const { path, text } of result.outputFiles ?? []) outputs.set(path.slice(OUT.length), text);
    const problems = [
      ...result.errors.map((message) => toProblem(message, 'error')),
      ...result.warnings.map((message) => toProblem(message, 'warning')),
    ];
    const imports = Object.values(result.metafile?.outputs ?? {}).flatMap((output) =>
      output.imports.flatMap(({ path, external, kind }) =>
        external && kind !== 'url-token' && kind !== 'import-rule' && isName(path) ? [path] : [],
      ),
    );
    // For each external package, the bundler treats all paths that start with its name as external, too.
    const unknown = new Set(imports.filter((path) => !PACKAGES.has(path)));
    for (const name of unknown) problems.push(await this.#unknownPackage(name, result.metafile));
    return { outputs, problems, packages: withImports(imports.filter((path) => PACKAGES.has(path))) };
  }

  async #unknownPackage(name: string, metafile: Result['metafile'] | undefined): Promise<PreviewProblem> {
    const problem: PreviewProblem = { severity: 'error', message: noPackage(name) };
    const importers = Object.entries(metafile?.inputs ?? {});
    const importer = importers.find(([, { imports }]) => imports.some(({ path }) => path === name))?.[0];
    if (importer === undefined) return problem;
    const { files, inline } = this.#inputs;
    const source = inline.get(importer.replace(`${INLINE}:`, ''));
    const path = sourcePath(importer);
    const text = source?.text ?? (await readTextForBuild(files, path));
    const at = Math.max(text.indexOf(`'${name}'`), text.indexOf(`"${name}"`), 0);
    const before = text.slice(0, at).split('\n');
    return { ...problem, place: { path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } };
  }

  async #contextFor(entryPoints: Record<string, string>) {
    const hasNames = this.#inputs.aliases.size > 0;
    const signature = JSON.stringify([entryPoints, hasNames]);
    if (this.#context?.signature === signature) return this.#context.built;
    await this.#context?.built.dispose();
    this.#context = undefined;
    const built = await context({
      ...OPTIONS,
      entryPoints,
      format: 'esm',
      external: [...PACKAGES.keys()],
      plugins: [workspacePlugin(() => this.#inputs, hasNames)],
    });
    this.#context = { signature, built };
    return built;
  }
}

/**
 * Returns an entry as HTML: scripts get a page to run in, Markdown is rendered, drawings and images are shown on their own,
 * and all else as text.
 */
function pageSource(entry: string, text: string): string {
  const normal = text.replace(/\r\n?/g, '\n');
  switch (/\.([^./]+)$/.exec(entry)?.[1]?.toLowerCase()) {
    case 'html':
    case 'htm':
      return normal;
    case 'md':
    case 'markdown':
      return markdownPage(normal);
    case 'svg':
      return `<!doctype html><html><body style="margin:0">${normal.replace(/^\s*<\?xml[^>]*\?>|<!DOCTYPE[^>]*>/gi, '')}</body></html>`;
    case 'ts':
    case 'mts':
    case 'tsx':
    case 'js':
    case 'mjs':
    case 'jsx':
      return `<!doctype html><html><head><meta charset="utf-8"></head><body><div id="root"></div><div id="app"></div><script type="module" src="${entry}"></script></body></html>`;
    case 'png':
    case 'jpg':
    case 'jpeg':
    case 'gif':
    case 'webp':
      return `<!doctype html><html><body style="margin:0"><img alt="" src="${encodeURI(entry)}"></body></html>`;
    default:
      return `<!doctype html><html><head><meta charset="utf-8"></head><body><pre style="white-space:pre-wrap">${normal.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre></body></html>`;
  }
}

const isScript = (text: string): boolean => {
  try {
    parse(text, { ecmaVersion: 'latest', sourceType: 'script' });
    return true;
  } catch {
    // The caller finds out what is wrong, and where.
    return false;
  }
};

/** Checks whether a path looks like the name of a package. */
const isName = (path: string): boolean => !/^[./#]|^[a-z]+:/i.test(path);

const isBuildFailure = (error: unknown): error is Pick<Result, 'errors' | 'warnings'> =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);

function toProblem(
  { text, location, notes, pluginName }: Message,
  severity: PreviewProblem['severity'],
): PreviewProblem {
  // The messages of our own plugin are already complete.
  const whole = pluginName === '' ? [text, ...notes.map((note) => note.text)].join(' ') : text;
  const message = importFailure(text, location?.file) ?? whole;
  if (location === null) return { severity, message };
  // The bundler's columns count bytes; if a line is not ASCII, the actual column is a little further left.
  return {
    severity,
    message,
    place: { path: sourcePath(location.file), line: location.line, column: location.column + 1 },
  };
}

import { basename, join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { ROOT } from '../../scripts/lib/run.ts';

/**
 * A Vite plugin that serves each worker's script as one file, and one for each part that it loads later, which the browser
 * caches. Each test starts new workers, and each worker would otherwise request dozens of modules.
 */
export function bundledWorkers(): Plugin {
  /** The code of each worker, by the path of its source. */
  const bundles = new Map<string, Promise<string>>();
  /** The code of the parts that workers load later, by file name. */
  const parts = new Map<string, string>();
  return {
    name: 'bundled-workers',
    configureServer(site) {
      site.middlewares.use((request, response, next) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
        const respond = (code: string) => {
          response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' });
          response.end(code);
        };
        const part = parts.get(basename(pathname));
        if (part !== undefined) return respond(part);
        if (!searchParams.has('worker_file')) return next();
        const path = pathname.startsWith('/@fs/') ? pathname.slice('/@fs'.length) : join(ROOT, pathname);
        const bundle = bundles.get(path) ?? bundleOf(path, parts);
        bundles.set(path, bundle);
        bundle.then(respond, next);
      });
    },
  };
}

/** Bundles a worker, and adds the parts that it loads later to `parts`. */
async function bundleOf(path: string, parts: Map<string, string>): Promise<string> {
  const output = (await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: true,
      lib: { entry: path, formats: ['es'], fileName: 'worker' },
      rolldownOptions: { output: { chunkFileNames: 'worker-part-[hash].js' } },
    },
  })) as Rolldown.RolldownOutput[];
  const chunks = output[0]?.output.filter((chunk) => chunk.type === 'chunk') ?? [];
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (entry === undefined) throw new Error(`Vite has built nothing of ${path}.`);
  for (const { fileName, code } of chunks) if (fileName !== entry.fileName) parts.set(fileName, code);
  return entry.code;
}

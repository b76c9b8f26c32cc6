import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { ROOT } from '../../scripts/lib/run.ts';

/**
 * A Vite plugin that serves each worker's script as one file, which the browser caches. Each test starts new workers, and
 * each worker would otherwise request dozens of modules.
 */
export function bundledWorkers(): Plugin {
  const bundles = new Map<string, Promise<string>>();
  return {
    name: 'bundled-workers',
    configureServer(site) {
      site.middlewares.use((request, response, next) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
        if (!searchParams.has('worker_file')) return next();
        const path = pathname.startsWith('/@fs/') ? pathname.slice('/@fs'.length) : join(ROOT, pathname);
        const bundle = bundles.get(path) ?? bundleOf(path);
        bundles.set(path, bundle);
        bundle.then((code) => {
          response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' });
          response.end(code);
        }, next);
      });
    },
  };
}

async function bundleOf(path: string): Promise<string> {
  const output = (await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: true,
      lib: { entry: path, formats: ['es'], fileName: 'worker' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput[];
  const chunk = output[0]?.output[0];
  if (chunk === undefined) throw new Error(`Vite has built nothing of ${path}.`);
  return chunk.code;
}

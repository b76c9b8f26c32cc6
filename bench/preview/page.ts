import { type build, context, initialize, type Plugin } from 'esbuild-wasm';
import { PACKAGES } from '#lib/sandbox/preview/packages.ts';
import { Preview } from '#lib/sandbox/preview/preview.ts';
import { Sandbox } from '#lib/sandbox/sandbox.ts';
import { MemoryStorage } from '#lib/vfs/memory-storage.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';

const PARTS = 28;

/** All in milliseconds. */
export interface Results {
  files: number;
  /** The first build, including the bundler's start. */
  built: number;
  /** From opening a page until it has loaded, including the bundler, the frame and the packages. */
  first: number;
  /** From a change of a module until the page has reloaded. */
  changed: number[];
  /** From a change of a style until the page shows it. */
  styled: number[];
  /** The bundler alone: started and used once, then used again after a change. */
  peerFirst: number;
  peerChanged: number[];
}

/** A realistic React project of 32 files. */
function project(): Record<string, string> {
  const files: Record<string, string> = {
    '/index.html':
      '<!doctype html><html><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>',
    '/src/main.tsx':
      "import { createRoot } from 'react-dom/client';\nimport { App } from './App';\nimport './style.css';\ncreateRoot(document.getElementById('root')!).render(<App />);\n",
    '/src/style.css': 'body { font-family: sans-serif }\n.part { color: #123456 }\n',
  };
  const names = Array.from({ length: PARTS }, (_, index) => `Part${index}`);
  for (const name of names)
    files[`/src/parts/${name}.tsx`] =
      `import { useMemo, useState } from 'react';\ninterface Props { value: number; label?: string }\nenum Kind { One, Two }\nexport function ${name}({ value, label }: Props) {\n  const [count, setCount] = useState<number>(value);\n  const list = useMemo<number[]>(() => [1, 2, 3].map((n) => n * count), [count]);\n  return (\n    <section className="part" data-kind={Kind.Two}>\n      <button type="button" onClick={() => setCount(count + 1)}>{label ?? '${name}'}</button>\n      <ul>{list.map((n, index) => <li key={index}>{n}</li>)}</ul>\n    </section>\n  );\n}\n${'// A line of a comment, as files have them.\n'.repeat(30)}`;
  files['/src/App.tsx'] =
    `${names.map((name) => `import { ${name} } from './parts/${name}';`).join('\n')}\nexport function App() {\n  return <main>${names.map((name, index) => `<${name} value={${index}} />`).join('')}</main>;\n}\n`;
  return files;
}

export async function runPreview(changes: number): Promise<Results> {
  const files = project();
  const fileSystem = new TreeFileSystem(new MemoryStorage());
  const write = (path: string, text: string) =>
    fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile(path, new TextEncoder().encode(text)));
  for (const [path, text] of Object.entries(files)) await write(path, text);
  const place = document.createElement('div');
  place.style.cssText = 'position:relative;width:800px;height:600px';
  document.body.append(place);

  const startedAt = performance.now();
  const sandbox = new Sandbox(undefined);
  const preview = new Preview({ fileSystem, sandbox });
  preview.attach(place);
  // Becoming visible starts it. Requesting it as well would build it twice.
  preview.setVisible(true);
  await settledOf(preview);
  const first = performance.now() - startedAt;
  if (preview.getState().status !== 'running') throw new Error(JSON.stringify(preview.getState()));

  const built = preview.getState().buildMs;
  const changed: number[] = [];
  const styled: number[] = [];
  for (let count = 0; count < changes; count++) {
    changed.push(
      await seen(preview, () =>
        write(
          '/src/parts/Part3.tsx',
          `${files['/src/parts/Part3.tsx']}// ${count}\nexport const n${count} = 1;\nconsole.log(n${count});`,
        ),
      ),
    );
    styled.push(await seen(preview, () => write('/src/style.css', `.part { color: #${100_000 + count} }`)));
  }
  preview.close();
  return { files: Object.keys(files).length, built, first, changed, styled, ...(await bundleAlone(files, changes)) };
}

/** Resolves when the page runs, or has failed to. */
function settledOf(preview: Preview): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = preview.subscribe(() => {
    if (!['running', 'failed', 'ended'].includes(preview.getState().status)) return;
    stop();
    resolve();
  });
  return promise;
}

/** From a change until the page shows it: built, and running again. */
async function seen(preview: Preview, change: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  const done = Promise.withResolvers<void>();
  let isBuilding = false;
  const stop = preview.subscribe(() => {
    const { status } = preview.getState();
    if (status === 'building') isBuilding = true;
    else if (isBuilding && status !== 'loading') done.resolve();
  });
  await change();
  await done.promise;
  stop();
  return performance.now() - startedAt;
}

async function bundleAlone(
  files: Record<string, string>,
  changes: number,
): Promise<Pick<Results, 'peerFirst' | 'peerChanged'>> {
  const plugin: Plugin = {
    name: 'memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, importer }) => {
        if (PACKAGES.has(path)) return { path, external: true };
        const whole = path.startsWith('/') ? path : new URL(path, `file://${importer}`).pathname;
        return {
          path: [whole, `${whole}.tsx`].find((name) => files[name] !== undefined) ?? whole,
          namespace: 'memory',
        };
      });
      onLoad({ filter: /.*/, namespace: 'memory' }, ({ path }) => ({
        contents: files[path] ?? '',
        loader: path.endsWith('.css') ? 'css' : 'tsx',
      }));
    },
  };
  const options: Parameters<typeof build>[0] = {
    entryPoints: ['/src/main.tsx'],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    sourcemap: 'external',
    outdir: '/out',
    plugins: [plugin],
  };
  const startedAt = performance.now();
  await initialize({ wasmURL: '/preview-files/esbuild.wasm' });
  const built = await context(options);
  await built.rebuild();
  const peerFirst = performance.now() - startedAt;
  const peerChanged: number[] = [];
  for (let count = 0; count < changes; count++) {
    files['/src/parts/Part3.tsx'] += `\nexport const m${count} = 1;`;
    const again = performance.now();
    await built.rebuild();
    peerChanged.push(performance.now() - again);
  }
  await built.dispose();
  return { peerFirst, peerChanged };
}

Object.assign(window, { runPreview });

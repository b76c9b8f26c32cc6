// Deletes what nothing reads in installed packages: source maps, demos, and builds beside the one that is used. They would be
// a quarter of what an install weighs. Runs after every install, in whichever Node runs npm.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MAP = /\.(?:js|mjs|cjs|css|ts|mts|cts)\.map$/;

/** Parts of packages that the studio does not use: sources and builds beside the one that it uses, demos, and types. */
const UNUSED = [
  'cytoscape-fcose/demo',
  'elkjs/lib/elk-worker.js',
  'elkjs/lib/elk-worker.min.js',
  'lucide-react/dynamic.d.mts',
  'lucide-react/dynamic.d.ts',
  'lucide-react/dynamicIconImports.d.mts',
  'lucide-react/dynamicIconImports.d.ts',
  'mermaid/dist/chunks/mermaid.esm',
  'mermaid/dist/chunks/mermaid.esm.min',
  'mermaid/dist/mermaid.js',
  'mermaid/dist/mermaid.min.js',
  'monaco-editor/dev',
  'monaco-editor/min',
  'next/dist/docs',
  'pdfjs-dist/build',
  'pdfjs-dist/iccs',
  'pdfjs-dist/image_decoders',
  'pdfjs-dist/legacy/build/pdf.min.mjs',
  'pdfjs-dist/legacy/build/pdf.renderer.min.mjs',
  'pdfjs-dist/legacy/build/pdf.renderer.mjs',
  'pdfjs-dist/legacy/build/pdf.sandbox.min.mjs',
  'pdfjs-dist/legacy/build/pdf.sandbox.mjs',
  'pdfjs-dist/legacy/build/pdf.worker.min.mjs',
  'pdfjs-dist/legacy/image_decoders',
  'pdfjs-dist/legacy/web',
  'pdfjs-dist/standard_fonts',
  'pdfjs-dist/wasm/jbig2_nowasm_fallback.js',
  'pdfjs-dist/wasm/openjpeg_nowasm_fallback.js',
  'pdfjs-dist/wasm/qcms_bg.wasm',
  'pdfjs-dist/wasm/quickjs-eval.js',
  'pdfjs-dist/wasm/quickjs-eval.wasm',
  'pdfjs-dist/web',
  'sql.js/dist/sql-asm-debug.js',
  'sql.js/dist/sql-asm-memory-growth.js',
  'sql.js/dist/sql-asm.js',
  'sql.js/dist/sql-wasm-browser-debug.js',
  'sql.js/dist/sql-wasm-browser-debug.wasm',
  'sql.js/dist/sql-wasm-debug.js',
  'sql.js/dist/sql-wasm-debug.wasm',
  'sql.js/dist/sql-wasm-inline-debug.js',
  'sql.js/dist/sql-wasm-inline.js',
  'sql.js/dist/sqljs-all.zip',
  'sql.js/dist/sqljs-wasm.zip',
  'sql.js/dist/sqljs-worker-wasm.zip',
  'sql.js/dist/worker.sql-asm-debug.js',
  'sql.js/dist/worker.sql-asm.js',
  'sql.js/dist/worker.sql-wasm-debug.js',
  'sql.js/dist/worker.sql-wasm-inline-debug.js',
  'sql.js/dist/worker.sql-wasm-inline.js',
  'sql.js/dist/worker.sql-wasm.js',
  'three/src',
];

/** @param {string} folder */
function dropMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Links lead out of the folder.
    if (entry.isDirectory()) dropMaps(path);
    else if (entry.isFile() && MAP.test(entry.name)) rmSync(path);
  }
}

const packages = join(import.meta.dirname, '../node_modules');
// As a package of another project, this one has none of its own.
if (existsSync(packages)) {
  for (const part of UNUSED) rmSync(join(packages, part), { recursive: true, force: true });
  dropMaps(packages);
}

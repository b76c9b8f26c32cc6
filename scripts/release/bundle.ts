import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundledScripts } from '../lib/bundled-scripts.ts';
import { ROOT } from '../lib/run.ts';

/** Bundles a program of a release with everything that it loads. */
async function bundle(name: string, input: string, folder: string): Promise<void> {
  const made = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: { [name]: input },
    plugins: [bundledScripts()],
    transform: { define: { 'process.env.ROUNDTRIP_PACKED': '"1"' } },
    logLevel: 'silent',
  });
  await made.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Names stay as they are, because errors show them.
    minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  });
  await made.close();
}

/** Bundles the program that starts the studio, and the command line, into the folder of a package. */
export async function bundlePrograms(folder: string): Promise<void> {
  await bundle('studio', 'scripts/packed/studio.ts', join(folder, 'dist/studio'));
  await bundle('main', 'hosts/local/main.ts', join(folder, 'dist/command-line'));
  // The programs that confine commands on Linux are found beside the code.
  for (const architecture of ['arm64', 'x64']) {
    const part = `vendor/seccomp/${architecture}`;
    const source = join(ROOT, 'node_modules/@anthropic-ai/sandbox-runtime', part);
    cpSync(source, join(folder, 'dist/command-line', part), { recursive: true });
  }
  // PDF.js looks for a package that draws, which the studio replaces by an empty one.
  const canvas = 'node_modules/@napi-rs/canvas';
  cpSync(join(ROOT, canvas), join(folder, 'dist/command-line', canvas), { recursive: true });
  writeFileSync(
    join(folder, 'dist/command-line.json'),
    JSON.stringify({ entry: 'dist/command-line/main.js', sources: {} }),
  );
  mkdirSync(join(folder, 'scripts/lib'), { recursive: true });
  cpSync(join(ROOT, 'scripts/lib/end-with-parent.mjs'), join(folder, 'scripts/lib/end-with-parent.mjs'));
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
}

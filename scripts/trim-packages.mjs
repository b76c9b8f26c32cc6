// Deletes what nothing reads in installed packages: source maps, and builds beside the one that is used. They would be a
// quarter of what an install weighs. Runs after every install, in whichever Node runs npm.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MAP = /\.(?:js|mjs|cjs|css|ts|mts|cts)\.map$/;

/** Builds of packages of which the studio uses another one. */
const OTHER_BUILDS = [
  'mermaid/dist/chunks/mermaid.esm',
  'mermaid/dist/chunks/mermaid.esm.min',
  'mermaid/dist/mermaid.js',
  'mermaid/dist/mermaid.min.js',
  'monaco-editor/dev',
  'monaco-editor/min',
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
  for (const build of OTHER_BUILDS) rmSync(join(packages, build), { recursive: true, force: true });
  dropMaps(packages);
}

#!/usr/bin/env node
// Starts the command line with the Node.js that comes with the project, unless the present one can run it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { entryPoint } from './entry-point.mjs';

const [major = 0, minor = 0, patch = 0] = process.versions.node.split('.').map(Number);
const isRecent = major > 22 || (major === 22 && (minor > 22 || (minor === 22 && patch >= 2)));

if (isRecent) {
  const module = await import('node:module');
  // Started again and again, it should not compile its sources each time.
  module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/roundtrip', import.meta.url)));
  // The one that started this process may end without a chance to say so.
  if (process.channel !== undefined) {
    process.channel.unref();
    process.once('disconnect', () => process.exit(130));
  }
  const { main } = await import(pathToFileURL(entryPoint(fileURLToPath(new URL('..', import.meta.url)))).href);
  await main(process.argv.slice(2));
} else {
  const own = fileURLToPath(
    new URL(`../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url),
  );
  if (!existsSync(own)) {
    process.stderr.write(
      `roundtrip needs Node.js 22.22.2 or later; this is ${process.versions.node}. Run npm ci, or install a newer one.\n`,
    );
    process.exit(2);
  }
  const script = fileURLToPath(import.meta.url);
  const child = spawn(own, [script, ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // The terminal sends Ctrl-C to both; a signal for this process alone is passed on.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
    if (child.connected) child.disconnect();
  });
}

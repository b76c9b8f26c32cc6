import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from 'esbuild-wasm';
import { expect, test } from 'vitest';
import { ROOT } from './run.ts';
import { ensureWorkerFiles } from './worker-files.ts';

// Each start of the studio calls it, also while another one compares the files with those of its build.
test('files that are up to date are not touched', { timeout: 60_000 }, async () => {
  const folder = join(ROOT, 'public/workers');
  const state = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => [name, statSync(join(folder, name)).ctimeMs]);
  await ensureWorkerFiles();
  const before = state();
  expect(before.map(([name]) => name)).toContain('pdf/cmaps/UniGB-UCS2-H.bcmap');
  await ensureWorkerFiles();
  expect(state()).toEqual(before);
  await stop();
});

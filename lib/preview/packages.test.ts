import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { previewOpen } from '#lib/tools/preview-open.ts';
import { PACKAGES } from './packages.ts';

test('people and models are told of every package', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const names = new Set([...PACKAGES.keys()].map((name) => name.split('/')[0] ?? name));
  for (const name of names) {
    expect(readme).toContain(`\`${name}\``);
    expect(previewOpen.description).toContain(name);
  }
});

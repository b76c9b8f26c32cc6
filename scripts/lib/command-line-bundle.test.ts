import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUNDLE_LIST, entryPoint, stateOf } from '#bin/entry-point.mjs';

const SOURCE = 'hosts/local/main.ts';
const ENTRY = 'dist/command-line-1/main.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'roundtrip-'));
  for (const path of [SOURCE, ENTRY, BUNDLE_LIST]) write(path, '');
  write(BUNDLE_LIST, JSON.stringify({ entry: ENTRY, sources: { [SOURCE]: stateOf(join(root, SOURCE)) } }));
});

afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test('a bundle is used while its sources are as they were', () => {
  expect(entryPoint(root)).toBe(join(root, ENTRY));
});

test.each<[string, () => void]>([
  ['there is no bundle', () => rmSync(join(root, 'dist'), { recursive: true })],
  ['a source has changed', () => write(SOURCE, 'export {};')],
  ['the bundle is gone', () => rmSync(dirname(join(root, ENTRY)), { recursive: true })],
  ['the list is damaged', () => write(BUNDLE_LIST, '{ "entry": ')],
  ['the list has another form', () => write(BUNDLE_LIST, '{}')],
])('the sources are used if %s', (_, change) => {
  change();
  expect(entryPoint(root)).toBe(join(root, SOURCE));
});

test('a bundle whose source is gone is not used', () => {
  rmSync(join(root, SOURCE));
  expect(entryPoint(root)).toBe(join(root, SOURCE));
});

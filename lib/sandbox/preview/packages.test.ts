import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { previewOpen } from '#lib/tools/browser/preview-open.ts';
import { globalAt, importAt, PACKAGES } from './packages.ts';

test('users and models are told about every package', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/GUIDE.md'), 'utf8');
  const names = new Set([...PACKAGES.keys()].map((name) => name.split('/')[0] ?? name));
  for (const name of names) {
    expect(guide).toContain(`\`${name}\``);
    expect(previewOpen.description).toContain(name);
  }
});

test.each([
  ['https://esm.sh/d3', 'd3'],
  ['https://cdn.jsdelivr.net/npm/d3@7/+esm', 'd3'],
  ['https://esm.sh/react-dom@18.2.0/client', 'react-dom/client'],
  ['https://unpkg.com/three@0.160.0/build/three.module.js', 'three'],
  ['https://unpkg.com/three@0.160.0/examples/jsm/controls/OrbitControls.js', 'three/addons/controls/OrbitControls.js'],
  ['https://unpkg.com/three@0.160.0/examples/jsm/loaders/GLTFLoader.js', undefined],
  ['https://cdn.jsdelivr.net/npm/chart.js', 'chart.js/auto'],
  ['https://unpkg.com/vue@3/dist/vue.esm-browser.js', 'vue'],
  ['https://esm.sh/lodash', undefined],
  ['https://evil.example/npm/d3', undefined],
])('a module at %s is package %s', (address, name) => {
  expect(importAt(address)).toBe(name);
});

test.each([
  ['https://d3js.org/d3.v7.min.js', 'd3'],
  ['https://cdn.tailwindcss.com', 'tailwindcss'],
  ['https://cdn.tailwindcss.com?plugins=forms', 'tailwindcss'],
  ['https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4', 'tailwindcss'],
  ['https://code.jquery.com/jquery-3.7.1.min.js', 'jquery'],
  ['//cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js', 'three'],
  ['https://cdnjs.cloudflare.com/ajax/libs/Chart.js/4.4.0/chart.umd.min.js', 'chart.js'],
  ['https://unpkg.com/vue@3/dist/vue.global.js', 'vue'],
  ['https://unpkg.com/react@18/umd/react.production.min.js', 'react'],
])('a script at %s defines a global for %s', (address, name) => {
  expect(globalAt(address)).toBe(name);
});

test.each([
  'https://cdn.jsdelivr.net/npm/three@0.128/examples/js/controls/OrbitControls.js',
  'https://code.jquery.com/ui/1.13.2/jquery-ui.min.js',
  'https://code.jquery.com/jquery-migrate-3.4.1.min.js',
  'https://cdn.jsdelivr.net/npm/chartjs-plugin-datalabels',
  'https://unpkg.com/lodash',
])('a script at %s defines no known global', (address) => {
  expect(globalAt(address)).toBeUndefined();
});

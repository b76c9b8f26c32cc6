import { expect, test } from 'vitest';
import { targetOfCode, targetOfLink } from './file-target.ts';

test.each([
  ['/src/App.tsx', { path: '/src/App.tsx' }],
  ['src/App.tsx:12', { path: '/src/App.tsx', place: { line: 12 } }],
  ['App.tsx:12:5', { path: '/App.tsx', place: { line: 12, column: 5 } }],
  ['./src/App.tsx#L12-L20', { path: '/src/App.tsx', place: { line: 12 } }],
  ['file:///src/App.tsx', { path: '/src/App.tsx' }],
  ['my%20notes.md', { path: '/my notes.md' }],
  ['100%.md', { path: '/100%.md' }],
  ['README.md?raw=1', { path: '/README.md' }],
  ['https://a.example/b.ts', undefined],
  ['//a.example/b.ts', undefined],
  ['mailto:a@b.example', undefined],
  ['www.example.com/a', undefined],
  ['#part', undefined],
  ['/', undefined],
  ['../out.txt', undefined],
  ['', undefined],
])('a link to %j', (href, target) => {
  expect(targetOfLink(href)).toEqual(target);
});

test.each([
  ['src/App.tsx', { path: '/src/App.tsx' }],
  ['/src/App.tsx:12', { path: '/src/App.tsx', place: { line: 12 } }],
  ['package.json', { path: '/package.json' }],
  ['a/[id]/page.tsx', { path: '/a/[id]/page.tsx' }],
  ['Makefile', undefined],
  ['npm run build', undefined],
  ['x = a / b', undefined],
  ['3.14', undefined],
  ['https://a.example/b.ts', undefined],
  ['a'.repeat(400), undefined],
])('inline code %j', (code, target) => {
  expect(targetOfCode(code)).toEqual(target);
});

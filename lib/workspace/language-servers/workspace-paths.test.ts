import { expect, test } from 'vitest';
import { WorkspacePaths } from './workspace-paths.ts';

const paths = new WorkspacePaths('/home/ü/my (app)');

test('URIs are translated however they are written, and others are not of the workspace', () => {
  const uri = paths.uri('/src/a b#1?.ts');
  expect(uri).toBe('file:///home/%C3%BC/my%20(app)/src/a%20b%231%3F.ts');
  expect(paths.path(uri)).toBe('/src/a b#1?.ts');
  expect(paths.path('file:///home/%c3%bc/my%20%28app%29/a.ts')).toBe('/a.ts');
  const others = ['file:///home/%C3%BC/my%20(app)2/a.ts', 'file:///home/a.ts', 'untitled:1', 'file:///%', 'a.ts'];
  expect(others.map((other) => paths.path(other))).toEqual(others.map(() => undefined));
});

test.each([
  ["'/home/ü/my (app)/src/a.ts' is", "'/src/a.ts' is"],
  ['/home/ü/my (app)/a.ts,/home/ü/my (app)/b.ts', '/a.ts,/b.ts'],
  ['at file:///home/%C3%BC/my%20(app)/a%20b.ts:1', 'at /a%20b.ts:1'],
  ['in /home/ü/my (app).', 'in /.'],
  ['in "/home/ü/my (app)"', 'in "/"'],
  ['/home/ü/my (app)-2/a.ts', '/home/ü/my (app)-2/a.ts'],
  ['/backup/home/ü/my (app)/a.ts', '/backup/home/ü/my (app)/a.ts'],
])('%s reads as %s', (text, hidden) => {
  expect(paths.hide(text)).toBe(hidden);
});

test('a workspace may be the whole disk', () => {
  const whole = new WorkspacePaths('/');
  expect(whole.path(whole.uri('/a/b.ts'))).toBe('/a/b.ts');
  expect(whole.hide('in /a/b.ts')).toBe('in /a/b.ts');
});

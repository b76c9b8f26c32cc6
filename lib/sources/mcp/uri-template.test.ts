import { expect, test } from 'vitest';
import { addressOf, variablesOf } from './uri-template.ts';

test.each<[string, string[]]>([
  ['demo://text/{id}', ['id*']],
  ['file:///{+path}', ['path*']],
  ['repo://{owner}/{repo}/issues{?state,label}', ['owner*', 'repo*', 'state', 'label']],
  ['x://{a}/{a}', ['a*']],
  ['x://{a}{?a}', ['a*']],
  ['x:/{/a*}', ['a*']],
])('the variables of %s are found; those of a query need no value', (template, names) => {
  expect(variablesOf(template)?.map(({ name, isRequired }) => `${name}${isRequired ? '*' : ''}`)).toEqual(names);
});

test.each([
  'x://plain',
  'x://{',
  'x://{}',
  'x://{a',
  'x://{a,b}',
  'x://{+a,b}',
  'x://{a:3}',
  'x://{;a}',
  'x://{=a}',
  'x://{a b}',
  `x://${'{a}'.repeat(10_001)}`,
])('a template that cannot be filled in is known as such: %.40s', (template) => {
  expect(variablesOf(template)).toBeUndefined();
});

test('values are encoded for their place, and what has none is left out', () => {
  expect(addressOf('demo://text/{id}', { id: '../a b&c' })).toBe('demo://text/..%2Fa%20b%26c');
  expect(addressOf('file:///{+path}', { path: 'a/b c' })).toBe('file:///a/b%20c');
  expect(addressOf('repo://{owner}/issues{?state,label}', { owner: 'ada', label: 'a&b' })).toBe(
    'repo://ada/issues?label=a%26b',
  );
  expect(addressOf('repo://{owner}', { owner: 'ada', other: 'x' })).toBe('repo://ada');
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';

/** The browser tests that there were before most of them moved: by file, by title, where their assertions are now. */
type MovedTests = Record<string, Record<string, string | string[]>>;

const SEPARATOR = ' › ';

const lists = JSON.parse(readFileSync(join(ROOT, 'e2e/moved-tests.json'), 'utf8')) as MovedTests;

/** Each former test, with its places. A place is a file, with a title if that has changed. */
const moved = Object.entries(lists).flatMap(([spec, tests]) =>
  Object.entries(tests).map(([title, places]) => ({ spec, title, places: [places].flat() })),
);

const escapeRegex = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Checks whether a source has a test with that title, which may be a template. */
function hasTitle(source: string, title: string): boolean {
  if (source.includes(title) || source.replaceAll("\\'", "'").includes(title)) return true;
  return [...source.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)].some(([, template = '']) =>
    new RegExp(
      `^${template
        .split(/\$\{[^}]*\}/)
        .map(escapeRegex)
        .join('.+')}$`,
    ).test(title),
  );
}

describe('the former browser tests', () => {
  test('are all listed', () => {
    expect(moved.length).toBe(587);
  });

  test('are each where the list says', () => {
    const sources = new Map<string, string>();
    const lost = moved.flatMap(({ spec, title, places }) =>
      places.flatMap((place) => {
        const [file = '', ...titles] = place.replace(/^duplicate of /, '').split(SEPARATOR);
        if (!sources.has(file)) sources.set(file, existsSync(file) ? readFileSync(file, 'utf8') : '');
        const now = titles.at(-1) ?? title.split(SEPARATOR).at(-1) ?? '';
        return hasTitle(sources.get(file) ?? '', now) ? [] : [`${spec}: ${title} is not in ${file}`];
      }),
    );
    expect(lost).toEqual([]);
  });

  test('are long ones by now in at most a fifth of the cases', () => {
    const long = moved.filter(({ places }) =>
      places.every((place) => /^e2e\/long\/|\.long\.(browser\.)?test\.ts/.test(place)),
    );
    expect(long.length).toBeLessThanOrEqual(587 / 5);
  });
});

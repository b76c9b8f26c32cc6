import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PALETTES, type Palette } from './palette.ts';
import { contrast } from './test/contrast.ts';

const CSS = readFileSync(join(import.meta.dirname, '..', '..', 'app', 'globals.css'), 'utf8');

/** The variables of a theme, by name without the dashes in front. */
function variablesOf(selector: string): Map<string, string> {
  const start = CSS.indexOf(`\n${selector} {`);
  const block = CSS.slice(start, CSS.indexOf('\n}', start));
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]));
}

const THEMES = [
  ['light', variablesOf(':root')],
  ['dark', variablesOf('[data-theme="dark"]')],
] as const;

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function namedColors({ syntax, ...others }: Palette): [string, string][] {
  return [
    ...Object.entries(others).map(([name, value]): [string, string] => [kebab(name), value]),
    ...Object.entries(syntax).map(([name, value]): [string, string] => [`syntax-${name}`, value]),
  ];
}

/** The colors behind code: in the editor, in the conversation, in differences, and in selections. */
const CODE_SURFACES = ['surface', 'surface-sunken', 'added', 'added-word', 'removed', 'removed-word', 'accent-soft'];

test.each(THEMES)('the %s palette of the editor is that of the page', (theme, variables) => {
  const colors = namedColors(PALETTES[theme]);
  expect(Object.fromEntries(colors)).toEqual(
    Object.fromEntries(colors.map(([name]) => [name, variables.get(name) ?? `no --${name}`])),
  );
  const syntax = [...variables.keys()].filter((name) => name.startsWith('syntax-'));
  expect(syntax.sort()).toEqual(
    Object.keys(PALETTES[theme].syntax)
      .map((name) => `syntax-${name}`)
      .sort(),
  );
});

test.each(THEMES)('every token of the %s theme can be read on every surface of code', (_, variables) => {
  const tokens = [...variables].filter(([name]) => name.startsWith('syntax-') || name === 'text');
  const tooFaint = tokens.flatMap(([token, color]) =>
    CODE_SURFACES.flatMap((surface) => {
      const ratio = contrast(color, variables.get(surface) ?? color);
      return ratio < 4.5 ? [`--${token} on --${surface}: ${ratio.toFixed(2)}`] : [];
    }),
  );
  expect(tokens).toHaveLength(15);
  expect(tooFaint).toEqual([]);
});

test('the contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLLOWS_STUDIO } from '../color-scheme.ts';
import { markdownPage } from './markdown-page.ts';

const CSS = readFileSync(join(import.meta.dirname, '../../../../app/globals.css'), 'utf8');

/** The values of the studio's variables in its light and its dark theme, each as `light, dark`. */
function themeColors(): string[] {
  const [light = new Map(), dark = new Map()] = CSS.split('[data-theme="dark"] {').map(
    (theme) => new Map([...theme.matchAll(/(--[\w-]+): (#\w{6});/g)].map(([, name = '', value = '']) => [name, value])),
  );
  return [...light].map(([name, value]) => `${value}, ${dark.get(name)}`);
}

test('the page of a Markdown file follows the studio, in the colors of its two themes', () => {
  const page = markdownPage('# One');
  expect(page).toContain(`<html ${FOLLOWS_STUDIO}>`);
  expect(page).toContain('color-scheme:light dark');
  const colors = [...page.matchAll(/light-dark\((#\w+),(#\w+)\)/g)].map(([, light, dark]) => `${light}, ${dark}`);
  expect(colors).toHaveLength(6);
  expect(themeColors()).toEqual(expect.arrayContaining(colors));
  // No other colors, which would be the same in both themes.
  expect(page.match(/#\w{3,6}\b/g)).toHaveLength(2 * colors.length);
});

test.each([
  ['**历经10年发展，**年', '<strong>历经10年发展，</strong>年'],
  ['5~7U 保证金 × 100~200倍', '<p>5~7U 保证金 × 100~200倍</p>'],
  ['~~gone~~ and ~5', '<del>gone</del> and ~5'],
  ['**bold** and _italic_', '<strong>bold</strong> and <em>italic</em>'],
])('%j has the marks that its author meant', (text, html) => {
  expect(markdownPage(text)).toContain(html);
});

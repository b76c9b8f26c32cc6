import { expect, test } from 'vitest';
import { PALETTES } from './palette.ts';
import { blend, contrast } from './test/contrast.ts';
import { editorTheme } from './theme.ts';
import { channelsOf, veil } from './veil.ts';

const NAMES = ['light', 'dark'] as const;

/** Returns the difference between two opaque colors, in the channel in which they differ most. */
const distance = (one: string, other: string): number =>
  Math.max(...channelsOf(one).map((channel, index) => Math.abs(channel - (channelsOf(other)[index] ?? 0))));

/** The color of a token, found as Monaco does: by the longest rule that its name begins with. */
function colorOf(name: 'light' | 'dark', token: string): string {
  const rules = editorTheme(name).rules.filter((rule) => `${token}.`.startsWith(`${rule.token}.`));
  const longest = rules.sort((a, b) => b.token.length - a.token.length)[0];
  return `#${longest?.foreground}`;
}

test.each(NAMES)('%s: Monaco accepts every color', (name) => {
  const { colors, rules } = editorTheme(name);
  expect(Object.entries(colors).filter(([, color]) => !/^#[0-9a-f]{6}([0-9a-f]{2})?$/.test(color))).toEqual([]);
  expect(rules.filter(({ foreground = '000000' }) => !/^[0-9a-f]{6}$/.test(foreground))).toEqual([]);
});

test.each(NAMES)('%s: tokens have the colors that they have in the conversation', (name) => {
  const { syntax } = PALETTES[name];
  const expected = {
    'keyword.ts': syntax.keyword,
    'type.identifier.ts': syntax.type,
    'string.escape.js': syntax.regexp,
    'string.key.json': syntax.property,
    'string.value.json': syntax.string,
    'number.float.ts': syntax.number,
    'comment.doc.ts': syntax.comment,
    'delimiter.bracket.ts': syntax.punctuation,
    'attribute.name.html': syntax.attribute,
    'attribute.name.css': syntax.property,
    'tag.html': syntax.tag,
  };
  expect(Object.fromEntries(Object.keys(expected).map((token) => [token, colorOf(name, token)]))).toEqual(expected);
});

test.each(NAMES)('%s: lines and words of differences look as they do in the conversation', (name) => {
  const { colors } = editorTheme(name);
  const { surface, added, addedWord, removed, removedWord } = PALETTES[name];
  for (const [kind, line, word] of [
    ['inserted', added, addedWord],
    ['removed', removed, removedWord],
  ] as const) {
    const shownLine = blend(colors[`diffEditor.${kind}LineBackground`] ?? '', surface);
    const shownWord = blend(colors[`diffEditor.${kind}TextBackground`] ?? '', shownLine);
    expect(distance(shownLine, line)).toBeLessThanOrEqual(2);
    expect(distance(shownWord, word)).toBeLessThanOrEqual(2);
  }
});

test.each(NAMES)('%s: selected text can be read, also where the line has a color', (name) => {
  const { colors } = editorTheme(name);
  const { surface, surfaceSunken, added, removed, syntax } = PALETTES[name];
  const faint = Object.entries(syntax).flatMap(([token, color]) =>
    [surface, surfaceSunken, added, removed].flatMap((below) => {
      const ratio = contrast(color, blend(colors['editor.selectionBackground'] ?? '', below));
      return ratio < 4.5 ? [`${token} on ${below}: ${ratio.toFixed(2)}`] : [];
    }),
  );
  expect(faint).toEqual([]);
});

test.each(NAMES)('%s: nothing shows through menus and boxes, and their texts can be read', (name) => {
  const { colors } = editorTheme(name);
  const pairs = [
    ['menu.foreground', 'menu.background'],
    ['menu.selectionForeground', 'menu.selectionBackground'],
    ['editorWidget.foreground', 'editorWidget.background'],
    ['editorHoverWidget.foreground', 'editorHoverWidget.background'],
    ['editorSuggestWidget.foreground', 'editorSuggestWidget.background'],
    ['editorSuggestWidget.highlightForeground', 'editorSuggestWidget.background'],
    ['editorSuggestWidget.selectedForeground', 'editorSuggestWidget.selectedBackground'],
    ['editorSuggestWidget.focusHighlightForeground', 'editorSuggestWidget.selectedBackground'],
    ['quickInput.foreground', 'quickInput.background'],
    ['quickInputList.focusForeground', 'quickInputList.focusBackground'],
    ['input.foreground', 'input.background'],
    ['input.placeholderForeground', 'input.background'],
    ['peekViewTitleLabel.foreground', 'peekViewTitle.background'],
    ['peekViewResult.lineForeground', 'peekViewResult.background'],
    ['editor.findMatchForeground', 'editor.findMatchBackground'],
    ['editor.findMatchHighlightForeground', 'editor.findMatchHighlightBackground'],
    ['editorLineNumber.foreground', 'editorGutter.background'],
    ['diffEditor.unchangedRegionForeground', 'diffEditor.unchangedRegionBackground'],
  ] as const;
  for (const [text, background] of pairs) {
    expect(colors[background], background).toHaveLength(7);
    expect(contrast(colors[text] ?? '', colors[background] ?? ''), `${text} on ${background}`).toBeGreaterThan(4.5);
  }
});

test('a veil gives the color that it stands for, with as little of its own as possible', () => {
  expect(veil('#808080', '#ffffff')).toBe('#0000007f');
  expect(veil('#ffffff', '#ffffff')).toBe('#ffffff00');
  expect(distance(blend(veil('#24502f', '#16291d'), '#16291d'), '#24502f')).toBeLessThanOrEqual(1);
});

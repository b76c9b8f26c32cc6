import type * as monaco from 'monaco-editor/editor.js';
import { PALETTES, type Palette, type SyntaxColor } from './palette.ts';
import { veil } from './veil.ts';

/** The names of the tokens of Monaco's grammars, by color. A name also stands for names that begin with it and a dot. */
const TOKENS: Readonly<Record<SyntaxColor, readonly string[]>> = {
  keyword: ['keyword'],
  string: ['string', 'attribute.value', 'metatag.content', 'variable.md', 'variable.source.md'],
  number: ['number', 'attribute.value.number', 'attribute.value.unit', 'attribute.value.hex', 'constant'],
  comment: ['comment', 'metatag'],
  function: ['predefined', 'variable.predefined', 'string.link'],
  type: ['type', 'namespace', 'tag.yaml'],
  variable: ['identifier', 'variable', 'attribute.value.css'],
  property: ['string.key', 'key', 'type.yaml', 'attribute.name.css', 'attribute.name.scss', 'attribute.name.less'],
  tag: ['tag'],
  attribute: ['attribute.name', 'annotation', 'meta'],
  punctuation: ['delimiter', 'operator', 'operators'],
  regexp: ['regexp', 'string.escape', 'escape'],
  added: [],
  removed: ['invalid', 'string.invalid', 'string.escape.invalid', 'regexp.invalid'],
};

const SHADOWS = { light: '#0000001f', dark: '#00000080' };

const NOTHING = '#00000000';

/** Adds an opacity, from 0 to 1, to a color: `#rrggbb` becomes `#rrggbbaa`. */
const faint = (color: string, opacity: number): string =>
  color +
  Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0');

/** Monaco's theme in the studio's colors. */
export function editorTheme(name: keyof typeof PALETTES): monaco.editor.IStandaloneThemeData {
  const palette = PALETTES[name];
  const { syntax } = palette;
  return {
    // The base has the colors that are not set here.
    base: name === 'dark' ? 'vs-dark' : 'vs',
    inherit: false,
    rules: [
      ...Object.entries(TOKENS).flatMap(([color, tokens]) =>
        tokens.map((token) => ({ token, foreground: syntax[color as SyntaxColor].slice(1) })),
      ),
      { token: 'strong', fontStyle: 'bold' },
      { token: 'emphasis', fontStyle: 'italic' },
    ],
    colors: {
      'widget.shadow': SHADOWS[name],
      ...textColors(palette),
      ...diffColors(palette),
      ...widgetColors(palette),
      ...symbolColors(palette),
    },
  };
}

/** Returns the colors of the text area and of the parts next to it. */
function textColors(palette: Palette): monaco.editor.IColors {
  const { surface, surfaceSunken, line, lineStrong, text, textMuted, accent, failed, denied, syntax } = palette;
  const brackets = [1, 2, 3, 4, 5, 6].map((level) => [`editorBracketHighlight.foreground${level}`, syntax.punctuation]);
  return {
    foreground: text,
    focusBorder: accent,
    errorForeground: failed,
    descriptionForeground: textMuted,
    disabledForeground: lineStrong,
    'icon.foreground': textMuted,
    'editor.background': surface,
    'editor.foreground': text,
    'editorGutter.background': surface,
    'editorCursor.foreground': accent,
    'editorLineNumber.foreground': textMuted,
    'editorLineNumber.activeForeground': text,
    'editor.lineHighlightBackground': surfaceSunken,
    'editor.lineHighlightBorder': NOTHING,
    'editor.selectionBackground': faint(accent, SELECTION),
    'editor.inactiveSelectionBackground': faint(accent, SELECTION / 2),
    'editor.selectionHighlightBackground': faint(accent, SELECTION / 2),
    'editor.wordHighlightBackground': faint(lineStrong, SELECTION),
    'editor.wordHighlightStrongBackground': faint(accent, SELECTION),
    'editor.wordHighlightTextBackground': faint(lineStrong, SELECTION),
    'editor.hoverHighlightBackground': faint(accent, SELECTION / 2),
    'editor.rangeHighlightBackground': faint(accent, SELECTION / 2),
    'editor.linkedEditingBackground': faint(accent, SELECTION),
    'editor.foldBackground': faint(accent, SELECTION / 2),
    'editor.findMatchBackground': palette.foundCurrent,
    'editor.findMatchForeground': palette.foundCurrentText,
    'editor.findMatchHighlightBackground': palette.found,
    'editor.findMatchHighlightForeground': palette.foundText,
    'editor.findRangeHighlightBackground': faint(lineStrong, SELECTION / 2),
    'editorWhitespace.foreground': lineStrong,
    'editorIndentGuide.background1': line,
    'editorIndentGuide.activeBackground1': lineStrong,
    'editorBracketMatch.background': faint(accent, SELECTION),
    'editorBracketMatch.border': faint(accent, 0.5),
    ...Object.fromEntries(brackets),
    'editorBracketHighlight.unexpectedBracket.foreground': failed,
    'editorError.foreground': failed,
    'editorWarning.foreground': denied,
    'editorInfo.foreground': accent,
    'editorHint.foreground': textMuted,
    'editorLink.activeForeground': accent,
    'editorCodeLens.foreground': textMuted,
    'editorInlayHint.foreground': textMuted,
    'editorInlayHint.background': surfaceSunken,
    'editorGhostText.foreground': textMuted,
    'editorStickyScroll.background': surface,
    'editorStickyScroll.border': line,
    'editorStickyScrollHover.background': palette.surfaceHover,
    'editorOverviewRuler.border': NOTHING,
    'editorOverviewRuler.findMatchForeground': faint(palette.foundCurrent, 0.7),
    'editorOverviewRuler.errorForeground': failed,
    'editorOverviewRuler.warningForeground': denied,
    'scrollbar.shadow': line,
    'scrollbarSlider.background': faint(lineStrong, 0.35),
    'scrollbarSlider.hoverBackground': faint(lineStrong, 0.55),
    'scrollbarSlider.activeBackground': faint(lineStrong, 0.75),
    'selection.background': faint(accent, SELECTION),
    'textLink.foreground': accent,
    'textLink.activeForeground': accent,
    'textCodeBlock.background': surfaceSunken,
    'textBlockQuote.background': surfaceSunken,
    'textBlockQuote.border': line,
    'textPreformat.foreground': text,
    'textPreformat.background': surfaceSunken,
    'textSeparator.foreground': line,
  };
}

/** The opacity of a selection's color: low enough for all tokens to stay readable. */
const SELECTION = 0.2;

/** Returns the colors of comparisons. A changed word's color is laid over its line's, which shows through. */
function diffColors(palette: Palette): monaco.editor.IColors {
  const { surface, surfaceSunken, line, lineStrong, textMuted, added, addedWord, removed, removedWord } = palette;
  return {
    'diffEditor.insertedLineBackground': veil(added, surface),
    'diffEditor.removedLineBackground': veil(removed, surface),
    'diffEditor.insertedTextBackground': veil(addedWord, added),
    'diffEditor.removedTextBackground': veil(removedWord, removed),
    'diffEditorGutter.insertedLineBackground': veil(added, surface),
    'diffEditorGutter.removedLineBackground': veil(removed, surface),
    'diffEditorOverview.insertedForeground': palette.done,
    'diffEditorOverview.removedForeground': palette.failed,
    'diffEditor.border': line,
    'diffEditor.diagonalFill': line,
    'diffEditor.unchangedRegionBackground': surfaceSunken,
    'diffEditor.unchangedRegionForeground': textMuted,
    'diffEditor.unchangedRegionShadow': NOTHING,
    'diffEditor.unchangedCodeBackground': NOTHING,
    'diffEditor.move.border': lineStrong,
    'diffEditor.moveActive.border': palette.accent,
  };
}

/** Returns the colors of menus, lists, and boxes, which float over the text and have opaque backgrounds. */
function widgetColors(palette: Palette): monaco.editor.IColors {
  const { surface, surfaceSunken, surfaceRaised, surfaceHover, surfaceActive } = palette;
  const { line, lineStrong, text, textMuted, accent, accentText, accentSoft, failed } = palette;
  const floats = ['editorWidget', 'editorHoverWidget', 'editorSuggestWidget', 'quickInput', 'menu', 'dropdown'];
  return {
    ...Object.fromEntries(floats.map((name) => [`${name}.background`, surfaceRaised])),
    ...Object.fromEntries(floats.map((name) => [`${name}.foreground`, text])),
    'widget.border': line,
    'editorWidget.border': line,
    'editorWidget.resizeBorder': accent,
    'editorHoverWidget.border': line,
    'editorHoverWidget.highlightForeground': accent,
    'editorHoverWidget.statusBarBackground': surfaceSunken,
    'editorSuggestWidget.border': line,
    'editorSuggestWidget.selectedBackground': accentSoft,
    'editorSuggestWidget.selectedForeground': text,
    'editorSuggestWidget.selectedIconForeground': text,
    'editorSuggestWidget.highlightForeground': accent,
    'editorSuggestWidget.focusHighlightForeground': accent,
    'editorSuggestWidgetStatus.foreground': textMuted,
    'menu.border': line,
    'menu.selectionBackground': surfaceHover,
    'menu.selectionForeground': text,
    'menu.separatorBackground': line,
    'dropdown.listBackground': surfaceRaised,
    'dropdown.border': lineStrong,
    'quickInputTitle.background': surfaceSunken,
    'quickInputList.focusBackground': surfaceHover,
    'quickInputList.focusForeground': text,
    'quickInputList.focusIconForeground': text,
    'pickerGroup.border': line,
    'pickerGroup.foreground': textMuted,
    'list.activeSelectionBackground': surfaceActive,
    'list.activeSelectionForeground': text,
    'list.activeSelectionIconForeground': text,
    'list.inactiveSelectionBackground': surfaceActive,
    'list.inactiveSelectionForeground': text,
    'list.focusBackground': surfaceHover,
    'list.focusForeground': text,
    'list.focusOutline': NOTHING,
    'list.hoverBackground': surfaceHover,
    'list.hoverForeground': text,
    'list.highlightForeground': accent,
    'list.focusHighlightForeground': accent,
    'editorActionList.background': surfaceRaised,
    'editorActionList.foreground': text,
    'editorActionList.focusBackground': surfaceHover,
    'editorActionList.focusForeground': text,
    'input.background': surface,
    'input.foreground': text,
    'input.border': lineStrong,
    'input.placeholderForeground': textMuted,
    'inputOption.activeBackground': accentSoft,
    'inputOption.activeForeground': text,
    'inputOption.activeBorder': accent,
    'inputOption.hoverBackground': surfaceHover,
    'inputValidation.errorBackground': palette.removed,
    'inputValidation.errorForeground': text,
    'inputValidation.errorBorder': failed,
    'inputValidation.infoBackground': surfaceSunken,
    'inputValidation.infoForeground': text,
    'inputValidation.infoBorder': line,
    'inputValidation.warningBackground': surfaceSunken,
    'inputValidation.warningForeground': text,
    'inputValidation.warningBorder': palette.denied,
    'button.background': accent,
    'button.foreground': accentText,
    'button.hoverBackground': accent,
    'button.secondaryBackground': surfaceActive,
    'button.secondaryForeground': text,
    'button.secondaryHoverBackground': surfaceHover,
    'badge.background': surfaceActive,
    'badge.foreground': text,
    'progressBar.background': accent,
    'toolbar.hoverBackground': surfaceHover,
    'toolbar.activeBackground': surfaceActive,
    'sash.hoverBorder': accent,
    'keybindingLabel.background': surfaceSunken,
    'keybindingLabel.foreground': text,
    'keybindingLabel.border': line,
    'keybindingLabel.bottomBorder': line,
    'peekView.border': accent,
    'peekViewTitle.background': surfaceSunken,
    'peekViewTitleLabel.foreground': text,
    'peekViewTitleDescription.foreground': textMuted,
    'peekViewEditor.background': surface,
    'peekViewEditor.matchHighlightBackground': palette.found,
    'peekViewResult.background': surfaceSunken,
    'peekViewResult.fileForeground': text,
    'peekViewResult.lineForeground': text,
    'peekViewResult.selectionBackground': surfaceActive,
    'peekViewResult.selectionForeground': text,
    'peekViewResult.matchHighlightBackground': faint(accent, SELECTION),
    'editorMarkerNavigation.background': surfaceRaised,
    'editorMarkerNavigationError.background': failed,
    'editorMarkerNavigationWarning.background': palette.denied,
    'editorMarkerNavigationInfo.background': accent,
  };
}

/** The kinds of suggestions, by the color of their symbols, which is that of such names in the text. */
const SYMBOLS: Partial<Record<SyntaxColor, readonly string[]>> = {
  function: ['function', 'method', 'constructor'],
  type: ['class', 'interface', 'struct', 'enumerator', 'typeParameter', 'module', 'namespace'],
  variable: ['variable', 'constant', 'enumeratorMember'],
  property: ['property', 'field', 'event'],
};

function symbolColors({ syntax }: Palette): monaco.editor.IColors {
  return Object.fromEntries(
    Object.entries(SYMBOLS).flatMap(([name, symbols]) =>
      symbols.map((symbol) => [`symbolIcon.${symbol}Foreground`, syntax[name as SyntaxColor]]),
    ),
  );
}

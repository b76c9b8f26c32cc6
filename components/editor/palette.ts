/** The kinds of tokens in code that have a color of their own when it is highlighted. */
export type SyntaxColor =
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'function'
  | 'type'
  | 'variable'
  | 'property'
  | 'tag'
  | 'attribute'
  | 'punctuation'
  | 'regexp'
  | 'added'
  | 'removed';

/** The studio's colors that the editor uses, as `#rrggbb`. */
export interface Palette {
  surface: string;
  surfaceSunken: string;
  surfaceRaised: string;
  surfaceHover: string;
  surfaceActive: string;
  line: string;
  lineStrong: string;
  text: string;
  textMuted: string;
  accent: string;
  accentText: string;
  accentSoft: string;
  done: string;
  failed: string;
  denied: string;
  found: string;
  foundCurrent: string;
  foundText: string;
  foundCurrentText: string;
  added: string;
  addedWord: string;
  removed: string;
  removedWord: string;
  syntax: Readonly<Record<SyntaxColor, string>>;
}

/**
 * Copies of the color variables in `app/globals.css`, which Monaco cannot read. A test compares them with the variables,
 * and checks the contrast of all tokens on all surfaces.
 */
export const PALETTES: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    surface: '#ffffff',
    surfaceSunken: '#f7f7f8',
    surfaceRaised: '#ffffff',
    surfaceHover: '#ededf0',
    surfaceActive: '#e3e3e8',
    line: '#e2e2e6',
    lineStrong: '#8a8a94',
    text: '#1b1b20',
    textMuted: '#5c5c66',
    accent: '#2756c5',
    accentText: '#ffffff',
    accentSoft: '#e8eefc',
    done: '#19703a',
    failed: '#b3261e',
    denied: '#8a4b00',
    found: '#ffe58a',
    foundCurrent: '#ffab40',
    foundText: '#1b1b20',
    foundCurrentText: '#1b1b20',
    added: '#e6f5ea',
    addedWord: '#b4e0c1',
    removed: '#fdeceb',
    removedWord: '#f7c4c0',
    syntax: {
      keyword: '#2d53ad',
      string: '#236436',
      number: '#88470d',
      comment: '#57575f',
      function: '#71419f',
      type: '#08616a',
      variable: '#26262d',
      property: '#2d5b81',
      tag: '#a02e38',
      attribute: '#68570c',
      punctuation: '#4a4a53',
      regexp: '#943468',
      added: '#236436',
      removed: '#a02e38',
    },
  },
  dark: {
    surface: '#18181b',
    surfaceSunken: '#121214',
    surfaceRaised: '#222226',
    surfaceHover: '#2a2a2f',
    surfaceActive: '#34343a',
    line: '#303036',
    lineStrong: '#7c7c88',
    text: '#ececf1',
    textMuted: '#a5a5b0',
    accent: '#8fb1ff',
    accentText: '#10131c',
    accentSoft: '#1f2a44',
    done: '#6fce8f',
    failed: '#ff9a92',
    denied: '#e8b169',
    found: '#6b5a14',
    foundCurrent: '#ffc04d',
    foundText: '#ffffff',
    foundCurrentText: '#1b1b20',
    added: '#16291d',
    addedWord: '#24502f',
    removed: '#331c1b',
    removedWord: '#6a2d29',
    syntax: {
      keyword: '#97b7f8',
      string: '#84c691',
      number: '#eba87a',
      comment: '#b6b6be',
      function: '#c9aaee',
      type: '#6dc4cd',
      variable: '#dedee5',
      property: '#96bbda',
      tag: '#f1a2a1',
      attribute: '#c9b773',
      punctuation: '#c8c8d0',
      regexp: '#eda1c4',
      added: '#84c691',
      removed: '#f1a2a1',
    },
  },
};

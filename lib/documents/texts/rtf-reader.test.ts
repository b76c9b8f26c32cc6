import { expect, test } from 'vitest';
import { RtfReader } from './rtf-reader.ts';

test.each([
  ["{\\rtf1\\ansi\\ansicpg1252 Gr\\'f6\\'dfe\\par two\\tab three}", 'Größe\n\ntwo\tthree'],
  ['{\\rtf1\\ansi\\uc1 \\u26085?\\u-10179?\\u-8704? x}', '日😀 x'],
  ["{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\fcharset134 SimSun;}}\\f0 \\'d6\\'d0\\'ce\\'c4}", '中文'],
  [
    '{\\rtf1\\ansi{\\stylesheet hidden}{\\*\\x hidden}{\\info{\\title hidden}}{\\field{\\*\\fldinst HYPERLINK}{\\fldrslt shown}}}',
    'shown',
  ],
  [
    '{\\rtf1 \\trowd\\cellx1 a\\cell b\\cell\\row\\trowd c\\cell d\\cell\\row\\pard after\\par}',
    '| a | b |\n| --- | --- |\n| c | d |\n\nafter',
  ],
  ['{\\rtf1 \\{a\\\\b\\}\\~c}', '{a\\b}\u00a0c'],
  ['{\\rtf1 before {\\pict\\bin5 {}{}}}after}', 'before after'],
  ['{\\rtf1 a{\\v HIDDEN}b\\deleted GONE\\deleted0 c\\v X\\plain d}', 'abcd'],
  [
    "{\\rtf1\\ansi\\ansicpg1251\\deff0{\\fonttbl{\\f0\\fcharset204 A;}{\\f1\\fcharset0 B;}}\\f1 \\'e9\\plain \\'e9}",
    'éй',
  ],
  ["{\\rtf1\\pc \\'81\\'e1}", 'üß'],
  ["{\\rtf1\\pca \\'d5}", 'ı'],
  ["{\\rtf1\\ansi\\ansicpg850 \\'9b\\'e4}", 'øõ'],
])('RTF is read with its encodings and tables: %s', (source, expected) => {
  expect(new RtfReader(source).read()).toBe(expected);
});

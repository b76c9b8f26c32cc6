import { random as randomOf } from './random.ts';

/** Names that have caused trouble in some program. */
const ODD = [
  ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', '__defineGetter__'],
  ...[
    '.',
    '..',
    '...',
    ' ',
    '  ',
    '.hidden',
    'a.',
    'a ',
    ' a',
    'a..b',
    '-',
    '--',
    '-rf',
    '~',
    '~root',
    '$HOME',
    '%PATH%',
  ],
  ...['CON', 'con.txt', 'NUL', 'nul', 'AUX.js', 'COM1', 'LPT9.md', 'COM¹', 'desktop.ini', 'Thumbs.db'],
  ...[
    'a:b',
    'a:$DATA',
    'a*b',
    'a?b',
    'a"b',
    'a<b>',
    'a|b',
    'a\\b',
    '..\\x',
    'C:',
    'C:\\x',
    '\\\\server',
    '%2e%2e',
    '%2F',
  ],
  ...[
    'é',
    'e\u0301',
    'ﬁ',
    'ß',
    'SS',
    'İ',
    'ı',
    'K',
    'Å',
    'A\u030a',
    'ſ',
    'ǆ',
    '１',
    'ａ',
    '\u200b',
    'a\u200db',
    '\u202egpj.exe',
  ],
  ...[
    '\ufeff',
    'a\ufeff',
    '\u00a0',
    '\u2028',
    '\u2029',
    '\t',
    '\n',
    'a\nb',
    '\r',
    '\u0001',
    '\u007f',
    '\u009f',
    '\u0000',
    'a\u0000b',
  ],
  ...['\ud800', 'a\udfffb', '\ud83d\ude00', '\udc00\ud800', '👩‍👩‍👧', '文件', 'ملف', 'קובץ', 'फ़ाइल', 'ไฟล์'],
  ...['node_modules', '.git', '.GIT', 'git~1', '.git ', '.git.', '.gıt', '.roundtrip', '.RoundTrip', 'HEAD', 'config'],
  ...['a'.repeat(255), 'a'.repeat(256), 'é'.repeat(127), 'é'.repeat(128), '😀'.repeat(63), '😀'.repeat(64)],
  ...[
    '{a,b}',
    '[a]',
    '(a)',
    '!a',
    '#a',
    '&a',
    ';a',
    '`a`',
    "'a'",
    'a=b',
    '@a',
    '^a',
    ',a',
    '+a',
    '1',
    '0',
    '01',
    '-0',
    '1e3',
  ],
  ...[
    'null',
    'undefined',
    'true',
    'NaN',
    'Infinity',
    'length',
    'then',
    'toJSON',
    'size',
    'key',
    'index.html',
    'package.json',
  ],
];

const PIECES = [...'aZ09._- ~é文\u0301\u200d\ud83d\ude00\\:*?"<>|%$\t\n\u0001', '..', '__', '\ud83d', 'ﬀ'];

/** Makes different file names: first those that are known to cause trouble, then random mixtures of them. */
export function fileNames(count: number): string[] {
  const next = randomOf(3);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const names = new Set(ODD);
  while (names.size < count) {
    const length = 1 + Math.floor(next() * 6);
    const name = Array.from({ length }, () => (next() < 0.2 ? pick(ODD) : pick(PIECES))).join('');
    if (!name.includes('/') && name !== '') names.add(name);
  }
  return [...names].slice(0, count);
}

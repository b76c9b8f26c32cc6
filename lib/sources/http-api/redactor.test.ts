import { describe, expect, test } from 'vitest';
import { Redactor } from './redactor.ts';

const SECRET = 'pä$$w0rd/+ "x"&<y>';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a secret is found', () => {
  const redactor = new Redactor([SECRET, 'ghp_0123456789abcdef']);
  test.each([
    ['as it is', SECRET],
    ['in a URL', encodeURIComponent(SECRET)],
    ['in a form', encodeURIComponent(SECRET).replaceAll('%20', '+')],
    ['in a URL in lower case', encodeURIComponent(SECRET).replaceAll(/%../g, (code) => code.toLowerCase())],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in JSON of PHP', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    [
      'in HTML',
      SECRET.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ],
    ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
    ['in base64', base64(SECRET)],
    ['in base64 for URLs', Buffer.from(SECRET).toString('base64url')],
  ])('%s', (_, written) => {
    expect(redactor.text(`before ${written} after`)).toBe('before [secret] after');
  });

  test.each(['', 'a', 'ab', 'abc', 'user:'])('in base64 behind %j', (before) => {
    for (const after of ['', '!', '!!', '!!!']) {
      const clean = redactor.text(base64(`${before}ghp_0123456789abcdef${after}`));
      expect(clean).toContain('[secret]');
      // At most the characters that it shares with its neighbors are left of it.
      expect(Buffer.from(clean.replaceAll('[secret]', ''), 'base64').toString('latin1')).not.toMatch(/ghp_|0123|cdef/);
    }
  });

  test('as the credentials that it encodes', () => {
    const basic = new Redactor([base64('ada:lovelace')]);
    expect(basic.text('user ada:lovelace, password lovelace')).toBe('user [secret], password [secret]');
  });

  test('without the scheme before it', () => {
    const typed = new Redactor(['Bearer ghp_0123456789abcdef', `Basic ${base64('ada:lovelace')}`]);
    expect(typed.text('ghp_0123456789abcdef, Bearer ghp_0123456789abcdef, lovelace')).toBe(
      '[secret], [secret], [secret]',
    );
    expect(typed.text('Bearer of bad news')).toBe('Bearer of bad news');
  });

  test('in values and names of JSON, also as a number', () => {
    const numeric = new Redactor(['12345678']);
    expect(numeric.value({ 'key-12345678': [12345678, 'a12345678', 1], b: null })).toEqual({
      'key-[secret]': ['[secret]', 'a[secret]', 1],
      b: null,
    });
    const own = numeric.value(JSON.parse('{"__proto__":"12345678"}')) as object;
    expect(JSON.stringify(own)).toBe('{"__proto__":"[secret]"}');
  });

  test('in the data of an image', () => {
    const image = { type: 'image' as const, mediaType: 'image/png' };
    expect(redactor.image({ ...image, data: base64('xyghp_0123456789abcdefz') })).toMatchObject({ type: 'text' });
    expect(redactor.image({ ...image, data: base64('nothing') })).toMatchObject({ type: 'image' });
  });

  test('in part at the end of a text that was cut', () => {
    expect(redactor.cutText('so ghp_01234')).toBe('so ');
    expect(redactor.cutText('so ghp_0123456789abcdef')).toBe('so [secret]');
    expect(redactor.cutText('so it is')).toBe('so it is');
  });
});

test('a short secret is taken out as it is, an empty one takes out nothing', () => {
  expect(new Redactor(['abc', '', ' ']).text('abc YWJj')).toBe('[secret] YWJj');
});

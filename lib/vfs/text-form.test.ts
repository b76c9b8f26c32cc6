import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { encodeLegacy } from './legacy-text.ts';
import { bytesFromText, TextFormError, textFromBytes, UTF8 } from './text-form.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

const written = (text: string, encoding: string): Uint8Array => {
  const bytes = encodeLegacy(text, encoding);
  if (bytes === undefined) throw new Error(`${encoding} has not all of ${text}`);
  return bytes;
};

const GERMAN = 'Größe;Preis\nÄpfel;3,50 €\nMüsli für süße Bären – „groß“\n';
const FRENCH = 'Élève à l’école, déjà vu, garçon naïf, cœur\n';
const RUSSIAN = 'Привет, мир! Это обычный текст на русском языке, в нём несколько слов.\n';
const CHINESE = '姓名,城市\n张三,北京\n李四,上海\n这是一个测试文件，用来说明编码。\n';
const TAIWANESE = '姓名,城市\n張三,臺北\n這是一個測試檔案，用來說明編碼。\n';
const JAPANESE = '名前,都市\n田中,東京\nこれは文字コードのテストです。\n';
const KOREAN = '이름,도시\n김철수,서울\n이것은 인코딩을 설명하기 위한 시험 파일입니다.\n';

test.each([
  ['windows-1252', GERMAN],
  ['windows-1252', FRENCH],
  ['windows-1251', RUSSIAN],
  ['koi8-r', RUSSIAN],
  ['gb18030', CHINESE],
  ['big5', TAIWANESE],
  ['shift_jis', JAPANESE],
  ['euc-jp', JAPANESE],
  ['euc-kr', KOREAN],
])('text in %s is read, and written as it was: %j', async (encoding, text) => {
  const bytes = written(text, encoding);
  const read = await textFromBytes(bytes);
  expect(read).toEqual({ text, form: { encoding, mark: false } });
  expect(await bytesFromText(text, read?.form ?? UTF8)).toEqual(bytes);
});

test.each([
  ['utf-8', [0xef, 0xbb, 0xbf, 0x61]],
  ['utf-16le', [0xff, 0xfe, 0x61, 0x00]],
  ['utf-16be', [0xfe, 0xff, 0x00, 0x61]],
])('a byte order mark of %s is no part of the text, and is kept', async (encoding, list) => {
  const bytes = new Uint8Array(list);
  expect(await textFromBytes(bytes)).toEqual({ text: 'a', form: { encoding, mark: true } });
  expect(await bytesFromText('a', { encoding, mark: true })).toEqual(bytes);
  expect(await bytesFromText('\ufeffa', { encoding, mark: true })).toEqual(bytes);
});

describe('UTF-16 without a byte order mark', () => {
  const bytesOf = (text: string, isLittle: boolean): Uint8Array => {
    const view = new DataView(new ArrayBuffer(text.length * 2));
    for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
    return new Uint8Array(view.buffer);
  };
  const MIXED = `name,city\n${'Anna,一 Wien\n'.repeat(30)}`;

  test.each([
    ['utf-16le', GERMAN],
    ['utf-16be', GERMAN],
    ['utf-16le', 'a'],
    ['utf-16be', 'a;b\r\n'],
    ['utf-16le', MIXED],
    ['utf-16be', MIXED],
  ])('is read in %s, and written as it was: %j', async (encoding, text) => {
    const bytes = bytesOf(text, encoding === 'utf-16le');
    const read = await textFromBytes(bytes);
    expect(read).toEqual({ text, form: { encoding, mark: false } });
    expect(await bytesFromText(text, read?.form ?? UTF8)).toEqual(bytes);
  });

  test('is not seen in numbers, nor in halves of characters', async () => {
    const numbers = new Uint8Array(new Uint16Array([1, 2, 3, 500, 7]).buffer);
    expect((await textFromBytes(numbers))?.form.encoding).not.toBe('utf-16le');
    const half = bytesOf('abc\ud800', true);
    expect((await textFromBytes(half))?.form.encoding).not.toBe('utf-16le');
  });

  test('is not written if it would be read as something else', async () => {
    await expect(bytesFromText(CHINESE, { encoding: 'utf-16le', mark: false })).rejects.toThrow(TextFormError);
  });
});

test('UTF-8 stays as it is, whatever it is about', async () => {
  for (const text of ['', 'plain', GERMAN, CHINESE, 'a\0b', '🙂'])
    expect(await textFromBytes(utf8(text))).toEqual({ text, form: UTF8 });
});

test('nothing is written that would be read as something else', async () => {
  const form = (encoding: string) => ({ encoding, mark: false });
  await expect(bytesFromText('Müsli 🙂', form('windows-1252'))).rejects.toThrow('windows-1252');
  await expect(bytesFromText('// α', form('gb18030'))).rejects.toThrow(TextFormError);
  await expect(bytesFromText('Имя', form('windows-1251'))).rejects.toThrow(TextFormError);
  expect(await bytesFromText('// plain', form('gb18030'))).toEqual(utf8('// plain'));
  expect(encodeLegacy('🙂', 'gb18030')).toBeUndefined();
});

test.each([
  ['windows-1251', '// Функция возвращает сумму двух чисел, которые ей дали\nreturn a + b;\n'],
  ['shift_jis', '// 二つの数の合計を返す関数です\nreturn a + b;\n'],
  ['euc-jp', '// 二つの数の合計を返す関数です\nreturn a + b;\n'],
  ['euc-kr', '// 두 수의 합계를 돌려주는 함수입니다\nreturn a + b;\n'],
  ['gb18030', '// 这个函数返回两个数的总和\nreturn a + b;\n'],
  ['windows-1252', '// Le café est fermé, très tôt.\n'],
])('a comment in %s is read as it is, or not at all', async (encoding, text) => {
  expect([text, undefined]).toContain((await textFromBytes(written(text, encoding)))?.text);
});

test.each([
  ['windows-1251', '// Привет мир'],
  ['windows-1256', '// مرحبا بالعالم'],
  ['windows-874', '// สวัสดีชาวโลก'],
  ['gb18030', '// 你好'],
])('what is too short to be certain is not guessed: %s', async (encoding, text) => {
  expect((await textFromBytes(written(text, encoding)))?.text ?? text).toBe(text);
});

test.each([
  ['gb18030', 'zh-CN', '姓名,年龄\n张三,3\n'],
  ['big5', 'zh-TW', '姓名,年齡\n王,3\n'],
  ['shift_jis', 'ja', '名前,年齢\nあや,3\n'],
  ['euc-kr', 'ko-KR', '이름,나이\n민수,3\n'],
])('what is short is read in an encoding of the person’s language: %s', async (encoding, language, text) => {
  const bytes = written(text, encoding);
  expect((await textFromBytes(bytes))?.text ?? text).toBe(text);
  vi.stubGlobal('navigator', { languages: ['en', language] });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(await textFromBytes(bytes)).toEqual({ text, form: { encoding, mark: false } });
});

test.each([
  ['windows-1251', 'zh-CN', 'Привет\n'],
  ['shift_jis', 'zh-CN', '東京\n'],
  ['shift_jis', 'ja', '東京の地図\n'],
])('a short text of another language is not read in the person’s: %s, %s', async (encoding, language, text) => {
  vi.stubGlobal('navigator', { languages: [language] });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect((await textFromBytes(written(text, encoding)))?.text ?? text).toBe(text);
});

describe('no text', () => {
  test.each([
    ['an image', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]],
    ['control characters', [0x41, 0xe4, 0x01, 0x02, 0x42]],
    ['half of a UTF-16 character', [0xff, 0xfe, 0x61]],
    ['UTF-32', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]],
    ['mostly bytes beyond ASCII', [0xff, 0xe4, 0xfe, 0xd0, 0x9c, 0xff, 0xf1, 0xe8]],
  ])('is %s', async (_, list) => {
    expect(await textFromBytes(new Uint8Array(list))).toBeUndefined();
  });

  test('is what is random', async () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor(seed / 65_536) % 256;
    };
    for (let round = 0; round < 50; round++)
      expect(await textFromBytes(Uint8Array.from({ length: 1_000 }, random))).toBeUndefined();
  });
});

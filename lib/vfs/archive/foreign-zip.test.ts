import { TextReader, Uint8ArrayWriter, ZipWriter, type ZipWriterAddDataOptions } from '@zip.js/zip.js/index-native.js';
import { describe, expect, test } from 'vitest';
import { unpackZip } from './foreign-zip.ts';

const LIMITS = { maxBytes: 1_000_000, maxEntries: 10 };

const bytes = (text: string) => new TextEncoder().encode(text);

interface Packed extends ZipWriterAddDataOptions {
  /** The bytes of the name, if the zip does not say how it is written. */
  raw?: Uint8Array;
  text?: string;
}

/** A zip with files of these names. */
async function zipOf(files: Record<string, Packed>): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, extendedTimestamp: false });
  for (const [name, { raw, text = name, ...options }] of Object.entries(files)) {
    const own = raw === undefined ? {} : { useUnicodeFileNames: false, encodeText: () => raw };
    await writer.add(name, new TextReader(text), { ...own, ...options });
  }
  return writer.close();
}

/** Words in an old encoding, as a table from the platform itself. */
function encoded(text: string, label: string): Uint8Array {
  const table = new Map<string, number[]>();
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++)
      table.set(new TextDecoder(label).decode(new Uint8Array([lead, trail])), [lead, trail]);
  return new Uint8Array([...text].flatMap((one) => (one < '\x80' ? [one.charCodeAt(0)] : (table.get(one) ?? []))));
}

const namesIn = async (zip: Uint8Array, languages?: string[]) => [
  ...(await unpackZip(zip, LIMITS, languages)).entries.keys(),
];

describe('names', () => {
  test.each([
    ['gb18030', '中文/说明文件.txt', ['en-US']],
    ['gb18030', '报告.docx', ['zh-CN']],
    ['big5', '說明文件.txt', ['zh-TW']],
    ['shift_jis', 'テスト.txt', ['en-US']],
    ['shift_jis', '資料/はじめに.txt', ['ja']],
    ['euc-kr', '한국어문서.txt', ['ko']],
    ['utf-8', 'Ärger und 中文.txt', ['en-US']],
  ])('in %s without a word about it are read: %s', async (label, name, languages) => {
    const raw = label === 'utf-8' ? bytes(name) : encoded(name, label);
    expect(await namesIn(await zipOf({ 'a.txt': {}, b: { raw } }), languages)).toEqual(['a.txt', name]);
  });

  test('of DOS are read', async () => {
    const raw = new Uint8Array([0x72, 0x82, 0x73, 0x75, 0x6d, 0x82, 0x2e, 0x70, 0x64, 0x66]);
    expect(await namesIn(await zipOf({ a: { raw } }))).toEqual(['résumé.pdf']);
  });

  test('that differ only in case are different files, and backslashes separate folders', async () => {
    const zip = await zipOf({ 'a.txt': {}, 'A.txt': {}, x: { raw: bytes('src\\lib\\b.ts') } });
    expect(await namesIn(zip)).toEqual(['a.txt', 'A.txt', 'src/lib/b.ts']);
  });

  test('that say that they are Unicode are taken at their word', async () => {
    const raw = encoded('说明文件.txt', 'gb18030');
    expect(await namesIn(await zipOf({ 'ü.txt': {}, b: { raw } }), ['zh'])).toEqual(['ü.txt', '说明文件.txt']);
  });
});

describe('entries', () => {
  test('of the larger form of zips, and those that are only stored, are unpacked', async () => {
    const zip = await zipOf({ 'a.txt': { zip64: true, text: 'one' }, 'b.txt': { level: 0, text: 'two' } });
    const { entries, failed } = await unpackZip(zip, LIMITS);
    expect(Object.fromEntries(entries)).toEqual({ 'a.txt': bytes('one'), 'b.txt': bytes('two') });
    expect(failed.size).toBe(0);
  });

  test('behind other data, as in a program that unpacks itself, are unpacked', async () => {
    const zip = await zipOf({ 'a.txt': { text: 'one' }, 'b.txt': { level: 0, text: 'two' } });
    const { entries, failed } = await unpackZip(new Uint8Array([...bytes('MZ'.repeat(50)), ...zip]), LIMITS);
    expect(Object.fromEntries(entries)).toEqual({ 'a.txt': bytes('one'), 'b.txt': bytes('two') });
    expect(failed.size).toBe(0);
  });

  test('that are encrypted, or damaged, are named, and the others are unpacked', async () => {
    const zip = await zipOf({
      'secret.txt': { password: 'word', zipCrypto: true },
      'aes.txt': { password: 'word' },
      'bad.txt': { text: 'x'.repeat(1_000) },
      'good.txt': { text: 'good' },
    });
    const at = Buffer.from(zip).indexOf('bad.txt') + 'bad.txt'.length;
    zip.fill(0xff, at + 2, at + 8);
    const { entries, failed } = await unpackZip(zip, LIMITS);
    expect(Object.fromEntries(entries)).toEqual({ 'good.txt': bytes('good') });
    expect(Object.fromEntries(failed)).toEqual({
      'secret.txt': 'encrypted',
      'aes.txt': 'encrypted',
      'bad.txt': 'damaged',
    });
  });

  test('with a wrong checksum, or an impossible place, are damaged', async () => {
    const zip = await zipOf({ 'a.txt': { level: 0, text: 'amount = 1000' }, 'b.txt': { text: 'fine' } });
    zip.set(bytes('9000'), Buffer.from(zip).indexOf('1000'));
    expect(Object.fromEntries((await unpackZip(zip, LIMITS)).failed)).toEqual({ 'a.txt': 'damaged' });
    const cut = await unpackZip(zip.subarray(10), LIMITS);
    expect([...cut.failed.keys(), ...cut.entries.keys()].sort()).toEqual(['a.txt', 'b.txt']);
  });

  test('with the same name are named, and backslashes are letters next to slashes', async () => {
    const zip = await zipOf({ 'a/b.txt': { text: 'one' }, x: { raw: bytes('a/b.txt'), text: 'two' }, 'a\\b.txt': {} });
    const { entries, failed } = await unpackZip(zip, LIMITS);
    expect([...entries.keys()]).toEqual(['a/b.txt', 'a\\b.txt']);
    expect(entries.get('a/b.txt')).toEqual(bytes('one'));
    expect(Object.fromEntries(failed)).toEqual({ 'a/b.txt': 'taken' });
  });

  test('beyond the limits are refused before anything is unpacked', async () => {
    await expect(unpackZip(await zipOf({ a: { text: ' '.repeat(2_000_000) } }), LIMITS)).rejects.toThrow(
      'too-large-unpacked',
    );
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${n}`, {}]));
    await expect(unpackZip(await zipOf(many), LIMITS)).rejects.toThrow('too-many');
  });

  test('of what is no zip, or only the beginning of one, are none', async () => {
    await expect(unpackZip(bytes('no zip'), LIMITS)).rejects.toThrow('broken');
    const zip = await zipOf({ 'a.txt': {} });
    await expect(unpackZip(zip.subarray(0, zip.length - 30), LIMITS)).rejects.toThrow('broken');
  });
});

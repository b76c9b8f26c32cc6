import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { ArchiveError } from './archive-error.ts';
import { ZIP_ENTRIES_MAX } from './limits.ts';
import { readStudioZip, writeZip } from './zip.ts';

const LIMITS = { maxBytes: 1_000_000, maxEntries: 10 };
const bytes = (text: string) => new TextEncoder().encode(text);

test('unpacks what was packed, including empty folders', () => {
  const entries = new Map([
    ['a.txt', bytes('one')],
    ['d/界.txt', bytes('two')],
    ['empty/', new Uint8Array()],
  ]);
  expect(readStudioZip(writeZip(entries), LIMITS)).toEqual(entries);
});

test.each(['__proto__', 'constructor', 'd/__proto__', 'toString', 'hasOwnProperty', '0'])(
  'a file named %s is kept',
  (name) => {
    const entries = new Map([
      ['a.txt', bytes('one')],
      [name, bytes('two')],
    ]);
    expect(new Map(readStudioZip(writeZip(entries), LIMITS))).toEqual(entries);
  },
);

test('a file named __proto__ in an archive of another program is kept', () => {
  const zip = zipSync({ 'a.txt': bytes('one'), xxproto__: bytes('two') });
  const view = Uint8Array.from(zip);
  const [from, to] = [bytes('xxproto__'), bytes('__proto__')];
  for (let at = 0; at + from.length <= view.length; at++)
    if (from.every((byte, index) => view[at + index] === byte)) view.set(to, at);
  expect(readStudioZip(view, LIMITS).get('__proto__')).toEqual(bytes('two'));
});

test('an archive beyond the limits is refused before it is unpacked', () => {
  const zeros = zipSync({ zeros: new Uint8Array(2_000_000) });
  expect(() => readStudioZip(zeros, LIMITS)).toThrow('too-large-unpacked');
  const many = zipSync(Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${n}`, new Uint8Array()])));
  expect(() => readStudioZip(many, LIMITS)).toThrow('too-many');
});

test.each([0, 6] as const)('a central directory with wrong sizes does not get past the limits (level %d)', (level) => {
  const zip = zipSync({ 'f.bin': new Uint8Array(2_000_000).fill(level) }, { level });
  const view = new DataView(zip.buffer);
  // The uncompressed size in the central directory, 24 bytes after its signature.
  for (let at = 0; at + 4 < zip.length; at++)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 10, true);
  if (level === 0) expect(() => readStudioZip(zip, LIMITS)).toThrow(ArchiveError);
  else {
    let size = 0;
    try {
      size = readStudioZip(zip, LIMITS).get('f.bin')?.byteLength ?? 0;
    } catch (error) {
      expect(error).toBeInstanceOf(ArchiveError);
    }
    expect(size).toBeLessThanOrEqual(LIMITS.maxBytes);
  }
});

test('data that is not a zip, or only part of one, is an error', () => {
  expect(() => readStudioZip(bytes('no zip'), LIMITS)).toThrow('broken');
  const zip = zipSync({ 'a.txt': bytes('one') });
  expect(() => readStudioZip(zip.subarray(0, zip.length - 10), LIMITS)).toThrow(ArchiveError);
});

test('more entries than a zip can have, and names that are too long for one, are refused', () => {
  const many = (count: number) => new Map(Array.from({ length: count }, (_, n) => [`${n}`, new Uint8Array()]));
  expect(() => writeZip(many(ZIP_ENTRIES_MAX + 1))).toThrow('too-many: 65535');
  expect(() => writeZip(new Map([['a/'.repeat(40_000), new Uint8Array()]]))).toThrow('bad-path: a/a/');
});

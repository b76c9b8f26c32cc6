import { type Entry, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js/index-native.js';
import { Inflate } from 'fflate';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';

const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_LENGTH = 30;
const STORED = 0;
const DEFLATED = 8;

/** The packed bytes that are unpacked at once. It bounds the memory, because they become at most 1,032 times as many. */
const SLICE_BYTES = 16_384;

const DAMAGED =
  'The file is damaged: a part of it cannot be unpacked. Open it where it was written, and save it again.';

/**
 * A document that is a ZIP file. Its entries are unpacked piece by piece, and no more than `DOCUMENT_LIMITS.unpackedBytes` in
 * total, whatever sizes its directory claims.
 */
export class PackedDocument {
  readonly #data: Uint8Array;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** The bytes of each entry that have been unpacked; once, even if it is read again. */
  readonly #unpacked = new Map<string, number>();
  #total = 0;

  private constructor(data: Uint8Array, entries: ReadonlyMap<string, Entry>) {
    this.#data = data;
    this.#entries = entries;
  }

  /** Reads the directory of a ZIP file. Rejects with `UnreadableDocument` if it is damaged or has too many entries. */
  static async open(data: Uint8Array): Promise<PackedDocument> {
    const entries = new Map<string, Entry>();
    try {
      const reader = new ZipReader(new Uint8ArrayReader(data), {
        strictness: 'tolerant',
        filenameValidation: 'tolerant',
      });
      for await (const entry of reader.getEntriesGenerator()) {
        if (entries.size >= DOCUMENT_LIMITS.entries)
          throw new UnreadableDocument(
            'too-complex',
            `The file has more than ${DOCUMENT_LIMITS.entries} parts, so it is not read.`,
          );
        const name = entry.filename.replaceAll('\\', '/');
        if (!entries.has(name)) entries.set(name, entry);
      }
    } catch (error) {
      if (error instanceof UnreadableDocument) throw error;
      throw new UnreadableDocument('damaged', DAMAGED);
    }
    return new PackedDocument(data, entries);
  }

  /** The names of the entries. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Unpacks an entry; `take` gets one piece after the other, and returns false to stop. Throws `UnreadableDocument` if there is
   * no such entry, if it is encrypted or damaged, or if it unpacks to too much.
   */
  unpack(name: string, take: (piece: Uint8Array) => boolean): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new UnreadableDocument('damaged', `The file is damaged: it has no ${name}.`);
    if (entry.encrypted)
      throw new UnreadableDocument(
        'encrypted',
        'The document is encrypted. Save a copy without a password to have it read.',
      );
    const packed = this.#packedBytes(entry);
    let goesOn = true;
    let size = 0;
    const receive = (piece: Uint8Array): void => {
      size += piece.byteLength;
      const known = this.#unpacked.get(name) ?? 0;
      this.#total += Math.max(0, size - known);
      this.#unpacked.set(name, Math.max(size, known));
      if (this.#total > DOCUMENT_LIMITS.unpackedBytes)
        throw new UnreadableDocument(
          'too-large',
          `The file unpacks to more than ${DOCUMENT_LIMITS.unpackedBytes / 1_000_000} MB, so it is not read.`,
        );
      goesOn = goesOn && take(piece);
    };
    const inflate = new Inflate(receive);
    try {
      for (let at = 0; at < packed.byteLength && goesOn; at += SLICE_BYTES) {
        const slice = packed.subarray(at, at + SLICE_BYTES);
        if (entry.compressionMethod === STORED) receive(slice);
        else inflate.push(slice, at + SLICE_BYTES >= packed.byteLength);
      }
    } catch (error) {
      // Errors without a code are those of `take`, and stay as they are.
      if (error instanceof Error && 'code' in error) throw new UnreadableDocument('damaged', DAMAGED);
      throw error;
    }
  }

  /** The whole bytes of an entry, at most `DOCUMENT_LIMITS.wholeBytes`; undefined if they are more. Throws like `unpack`. */
  bytes(name: string): Uint8Array<ArrayBuffer> | undefined {
    const pieces: Uint8Array[] = [];
    let size = 0;
    this.unpack(name, (piece) => {
      size += piece.byteLength;
      if (size > DOCUMENT_LIMITS.wholeBytes) return false;
      pieces.push(piece.slice());
      return true;
    });
    if (size > DOCUMENT_LIMITS.wholeBytes) return undefined;
    const whole = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
    return whole;
  }

  #packedBytes({ offset, compressionMethod, compressedSize }: Entry): Uint8Array {
    if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
      throw new UnreadableDocument('damaged', DAMAGED);
    const { buffer, byteOffset, byteLength } = this.#data;
    const view = new DataView(buffer, byteOffset, byteLength);
    if (offset + LOCAL_HEADER_LENGTH > byteLength || view.getUint32(offset, true) !== LOCAL_HEADER)
      throw new UnreadableDocument('damaged', DAMAGED);
    const start = offset + LOCAL_HEADER_LENGTH + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    if (start + compressedSize > byteLength) throw new UnreadableDocument('damaged', DAMAGED);
    return this.#data.subarray(start, start + compressedSize);
  }
}

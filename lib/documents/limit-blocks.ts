import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';

let wasReached = false;

/** The largest block of memory, and the memory that may still be asked for, in bytes. */
const left = { block: DOCUMENT_LIMITS.blockBytes as number, total: Number.POSITIVE_INFINITY };

/** The classes whose objects are blocks of memory. Others, such as BigInt64Array, are not used by readers. */
const BLOCKS = [
  'ArrayBuffer',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
] as const;

/**
 * Limits the size of blocks of memory in this thread: creating a typed array or an `ArrayBuffer` of more than
 * `DOCUMENT_LIMITS.blockBytes` throws `RangeError`, and so does growing the memory of WebAssembly, which decodes images, beyond
 * that. Removes `DecompressionStream`, too. A file of a few bytes can unpack to more
 * than the machine's memory, and the code that reads it asks for that memory block by block. Must be called before that code is
 * loaded.
 */
export function limitBlocks(): void {
  for (const name of BLOCKS) Reflect.set(globalThis, name, limited(globalThis[name]));
  limitWebAssembly();
  // It unpacks all of a stream before anybody sees how much it is.
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
}

/**
 * Changes the limits for what is read from here on: `block` for one block of memory, and `total` for all together but for small
 * ones (see `DOCUMENT_LIMITS.smallBytes`), in bytes. Has no effect unless `limitBlocks` was called.
 */
export function changeLimits(limits: { block: number; total: number }): void {
  Object.assign(left, limits);
}

/** Checks whether more memory has been asked for than the limits allow. The code that asked may have gone on without it. */
export const wasLimitReached = (): boolean => wasReached;

/** A class of `BLOCKS`. */
type Blocks = (typeof globalThis)[(typeof BLOCKS)[number]];

const limited = (blocks: Blocks): object =>
  new Proxy(blocks, {
    construct(target, given, newTarget) {
      const bytes = sizeOf(given[0]) * ('BYTES_PER_ELEMENT' in blocks ? blocks.BYTES_PER_ELEMENT : 1);
      take(bytes, bytes);
      return Reflect.construct(target, given, newTarget);
    },
  });

/** Takes memory from what is left, for a block that has so many bytes with it. Throws `RangeError` if that is too much. */
function take(bytes: number, block: number): void {
  const isSmall = bytes < DOCUMENT_LIMITS.smallBytes;
  if (!isSmall) left.total -= bytes;
  if (block <= left.block && (isSmall || left.total >= 0)) return;
  wasReached = true;
  throw new RangeError(`${bytes} bytes are not given.`);
}

/** The size of a page of WebAssembly's memory, in bytes. */
const PAGE = 65_536;

function limitWebAssembly(): void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (this: WebAssembly.Memory, pages) {
    take(pages * PAGE, this.buffer.byteLength + pages * PAGE);
    return grow.call(this, pages);
  };
}

/** The number of elements of a new block that is made of a number, or is a copy of a list; 0 if it shares the memory of another. */
function sizeOf(given: unknown): number {
  if (typeof given === 'number') return given;
  return typeof given === 'object' && given !== null && 'length' in given && typeof given.length === 'number'
    ? given.length
    : 0;
}

import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';

let wasReached = false;

/** The memory that may still be asked for, in bytes. */
let room = Number.POSITIVE_INFINITY;

/**
 * Limits the size of blocks of memory in this thread: creating a `Uint8Array` or `Uint8ClampedArray` longer than
 * `DOCUMENT_LIMITS.blockBytes` throws `RangeError`. Removes `DecompressionStream`, too. A file of a few bytes can unpack to more
 * than the machine's memory, and the code that reads it asks for that memory block by block. Must be called before that code is
 * loaded.
 */
export function limitBlocks(): void {
  globalThis.Uint8Array = limited(Uint8Array);
  globalThis.Uint8ClampedArray = limited(Uint8ClampedArray);
  // It unpacks all of a stream before anybody sees how much it is.
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
}

/**
 * From here on, also limits all blocks of memory together, but for small ones (see `DOCUMENT_LIMITS.smallBytes`): beyond `bytes`,
 * creating one throws `RangeError`. Has no effect unless `limitBlocks` was called.
 */
export function limitTotal(bytes: number): void {
  room = bytes;
}

/** Checks whether more memory has been asked for than the limits allow. The code that asked may have gone on without it. */
export const wasLimitReached = (): boolean => wasReached;

const limited = <Type extends Uint8ArrayConstructor | Uint8ClampedArrayConstructor>(blocks: Type): Type =>
  new Proxy(blocks, {
    construct(target, given, newTarget) {
      const [size] = given;
      if (typeof size === 'number') {
        if (size >= DOCUMENT_LIMITS.smallBytes) room -= size;
        if (size > DOCUMENT_LIMITS.blockBytes || room < 0) {
          wasReached = true;
          throw new RangeError(`${size} bytes are not given.`);
        }
      }
      return Reflect.construct(target, given, newTarget);
    },
  });

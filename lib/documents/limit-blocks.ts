import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';

/**
 * Limits the size of blocks of memory in this thread: creating a `Uint8Array` longer than `DOCUMENT_LIMITS.blockBytes` throws
 * `RangeError`. Removes `DecompressionStream`, too. A file of a few bytes can unpack to more than the machine's memory, and the
 * code that reads it asks for that memory block by block. Must be called before that code is loaded. Returns a function that
 * tells whether a larger block has been asked for.
 */
export function limitBlocks(): () => boolean {
  const Blocks = Uint8Array;
  let wasReached = false;
  globalThis.Uint8Array = new Proxy(Blocks, {
    construct(target, given, newTarget) {
      if (typeof given[0] === 'number' && given[0] > DOCUMENT_LIMITS.blockBytes) {
        wasReached = true;
        throw new RangeError(`More than ${DOCUMENT_LIMITS.blockBytes} bytes at once are not given.`);
      }
      return Reflect.construct(target, given, newTarget);
    },
  });
  // It unpacks all of a stream before anybody sees how much it is.
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
  return () => wasReached;
}

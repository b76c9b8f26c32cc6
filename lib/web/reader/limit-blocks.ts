import { WEB_LIMITS } from '#lib/tools/web/limits.ts';

/**
 * Lets this thread create no block of memory that is larger than a limit: creating one throws `RangeError`. A file of a
 * few bytes can be unpacked to more than there is, and its reader asks for the memory block by block. Must be called before
 * the reader is loaded. Returns a function that tells whether the limit was reached.
 */
export function limitBlocks(): () => boolean {
  const Blocks = Uint8Array;
  let wasReached = false;
  globalThis.Uint8Array = new Proxy(Blocks, {
    construct(target, given, newTarget) {
      if (typeof given[0] === 'number' && given[0] > WEB_LIMITS.pdfBlockBytes) {
        wasReached = true;
        throw new RangeError(`More than ${WEB_LIMITS.pdfBlockBytes} bytes at once are not given.`);
      }
      return Reflect.construct(target, given, newTarget);
    },
  });
  // It unpacks all of a stream before anybody sees how much it is.
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
  return () => wasReached;
}

/**
 * Replaces the `Buffer` that Next gives to any code that mentions it (see next.config.mjs). On the page only
 * `secure-json-parse` does, to check whether it exists; the real one would add 7 KiB to the page just for that check.
 * The worker that runs commands does need one, and makes it a global before loading the code that uses it.
 */
export const Buffer: unknown = Reflect.get(globalThis, 'Buffer');

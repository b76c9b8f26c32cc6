/**
 * Stands in for the `Buffer` that Next gives any code that mentions one (see next.config.mjs). On the page only
 * `secure-json-parse` does, to ask whether there is one; without an answer the page would carry 7 KiB for that question.
 * Where one is needed, in the worker that runs commands, it is made a global before the code that needs it.
 */
export const Buffer: unknown = Reflect.get(globalThis, 'Buffer');

/**
 * Stands in for the `Buffer` that Next gives any page with a module that mentions one (see next.config.mjs). Here only
 * `secure-json-parse` does, to ask whether there is one; without an answer the page would carry 7 KiB for that question.
 */
export const Buffer = undefined;

'use client';

/**
 * The key code of a key that a composition takes, as of Chinese or Japanese input. Safari reports the Enter that ends one after
 * its end, with nothing but this code.
 */
const TAKEN = 229;

/** Keeps keys that a composition takes from everything that acts on keys. The field gets what they write. */
if (typeof window !== 'undefined')
  addEventListener(
    'keydown',
    (event) => {
      if (!event.isComposing && event.keyCode !== TAKEN) return;
      event.stopImmediatePropagation();
      // Fields for searching are emptied by it, also by the one that ends a composition.
      if (event.key === 'Escape') event.preventDefault();
    },
    true,
  );

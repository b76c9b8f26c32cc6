'use client';

/**
 * The `keyCode` of keys that belong to a composition, such as Chinese or Japanese input. For the Enter that ends one, Safari
 * sets only this, not `isComposing`.
 */
const TAKEN = 229;

/** Hides keys that belong to a composition from all other listeners. The field still gets the composed text. */
if (typeof window !== 'undefined')
  addEventListener(
    'keydown',
    (event) => {
      if (!event.isComposing && event.keyCode !== TAKEN) return;
      event.stopImmediatePropagation();
      // Otherwise, the Escape that ends a composition would also empty a search field.
      if (event.key === 'Escape') event.preventDefault();
    },
    true,
  );

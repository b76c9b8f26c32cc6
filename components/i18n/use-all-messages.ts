import type { AllMessages, Messages } from './catalog.ts';
import { en } from './en.ts';
import { useMessages } from './i18n.tsx';

/** English with the texts of views that are loaded later, once these texts are there. */
let english: AllMessages | undefined;

/** Loads the English texts of views that are loaded later. Every `lazyView` waits for them. */
export async function loadLaterTexts(): Promise<void> {
  english ??= { ...en, ...(await import('./later-texts.ts')).laterTexts };
}

const isWhole = (messages: Messages): messages is AllMessages => 'tools' in messages;

/**
 * Returns a language's texts with those of views that are loaded later; if `messages` lack these, all in English. Throws if
 * `loadLaterTexts` has not loaded them yet.
 */
export function allMessages(messages: Messages): AllMessages {
  if (isWhole(messages)) return messages;
  if (english === undefined) throw new Error('This view can only be used inside of a lazy one.');
  return english;
}

/**
 * Returns the texts in the person's language, including those of views that are loaded later. Throws in a view that is not
 * inside a `lazyView`, if these texts are not loaded yet.
 */
export const useAllMessages = (): AllMessages => allMessages(useMessages());

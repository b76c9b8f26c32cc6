import type { AllMessages, Messages } from './catalog.ts';
import { en } from './en.ts';
import { useMessages } from './i18n.tsx';

/** English with the texts of views that are loaded later, once these texts are there. */
let english: AllMessages | undefined;

/** Loads the texts of views that are loaded later. Every `lazyView` waits for them. */
export async function loadLaterTexts(): Promise<void> {
  english ??= { ...en, ...(await import('./later-texts.ts')).laterTexts };
}

const isWhole = (messages: Messages): messages is AllMessages => 'tools' in messages;

/** A language's texts, with those of views that are loaded later, once they are. */
export function allMessages(messages: Messages): AllMessages {
  if (isWhole(messages)) return messages;
  if (english === undefined) throw new Error('This view can only be used inside of a lazy one.');
  return english;
}

/** The texts of the studio in the person's language, for views that are loaded later. */
export const useAllMessages = (): AllMessages => allMessages(useMessages());

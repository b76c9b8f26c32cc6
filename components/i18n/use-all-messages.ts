import type { AllMessages, Messages } from './catalog.ts';
import { en } from './en.ts';
import { useMessages } from './i18n.tsx';
import { laterTexts } from './later-texts.ts';

const ENGLISH: AllMessages = { ...en, ...laterTexts };

const isWhole = (messages: Messages): messages is AllMessages => 'tools' in messages;

/** A language's texts, with those of views that are loaded later. */
export const allMessages = (messages: Messages): AllMessages => (isWhole(messages) ? messages : ENGLISH);

/** The texts of the studio in the person's language, for views that are loaded later. The page cannot use it. */
export const useAllMessages = (): AllMessages => allMessages(useMessages());

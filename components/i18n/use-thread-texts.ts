import { useMessages } from './i18n.tsx';
import { threadTexts } from './thread-texts.ts';

/** The texts of the thread list’s menus and dialogs in the person's language. */
export const useThreadTexts = (): typeof threadTexts => useMessages().threadList ?? threadTexts;

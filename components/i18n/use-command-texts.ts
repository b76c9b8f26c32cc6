import { type CommandTexts, commandTexts } from './command-texts.ts';
import { useMessages } from './i18n.tsx';

/** The texts of commands, of the palette, and of completions in the message box, in the person's language. */
export const useCommandTexts = (): CommandTexts => useMessages().commands ?? commandTexts;

import { type CommandTexts, commandTexts } from './command-texts.ts';
import { useMessages } from './i18n.tsx';

/** The texts of commands in the person's language. */
export const useCommandTexts = (): CommandTexts => useMessages().commands ?? commandTexts;

import { changeTexts } from './change-texts.ts';
import { useMessages } from './i18n.tsx';

/** The texts of changes to files and of their reviews in the person's language. */
export const useChangeTexts = (): typeof changeTexts => useMessages().changes ?? changeTexts;

import { useMessages } from './i18n.tsx';
import { markdownTexts } from './markdown-texts.ts';

/** The texts of long answers in the person's language. */
export const useMarkdownTexts = (): typeof markdownTexts => useMessages().markdown ?? markdownTexts;

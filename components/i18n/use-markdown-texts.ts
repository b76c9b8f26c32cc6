import { useMessages } from './i18n.tsx';
import { markdownTexts } from './markdown-texts.ts';

/** The texts around what answers contain, such as code, tables, and images, in the person's language. */
export const useMarkdownTexts = (): typeof markdownTexts => useMessages().markdown ?? markdownTexts;

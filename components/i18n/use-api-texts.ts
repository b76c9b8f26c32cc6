import { type ApiTexts, apiTexts } from './api-texts.ts';
import { useMessages } from './i18n.tsx';

/** The texts about HTTP APIs in the person's language. */
export const useApiTexts = (): ApiTexts => useMessages().httpApis ?? apiTexts;

import { useMessages } from './i18n.tsx';
import { type ModelTexts, modelTexts } from './model-texts.ts';

/** The texts about models, their connections, settings, and costs in the person's language. */
export const useModelTexts = (): ModelTexts => useMessages().models ?? modelTexts;

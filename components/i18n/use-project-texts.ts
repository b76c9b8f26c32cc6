import { useMessages } from './i18n.tsx';
import { type ProjectTexts, projectTexts } from './project-texts.ts';

/** The texts about a project's instructions and skills in the person's language. */
export const useProjectTexts = (): ProjectTexts => useMessages().project ?? projectTexts;

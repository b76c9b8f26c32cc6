import { useMessages } from './i18n.tsx';
import { type ProjectTexts, projectTexts } from './project-texts.ts';

/** The texts about instructions, skills, tools, and prompts in a workspace's files, in the person's language. */
export const useProjectTexts = (): ProjectTexts => useMessages().project ?? projectTexts;

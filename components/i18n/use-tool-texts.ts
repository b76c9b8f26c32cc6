import { useMessages } from './i18n.tsx';
import { type ToolTexts, toolTexts } from './tool-texts.ts';

/** Further texts about tools in the person's language. */
export const useToolTexts = (): ToolTexts => useMessages().toolPanel ?? toolTexts;

import { useMessages } from './i18n.tsx';
import { type ToolTexts, toolTexts } from './tool-texts.ts';

/** The texts about toolsets, the reasons why calls failed, and reviews, in the person's language. */
export const useToolTexts = (): ToolTexts => useMessages().toolPanel ?? toolTexts;

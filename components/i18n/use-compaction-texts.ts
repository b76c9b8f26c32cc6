import { compactionTexts } from './compaction-texts.ts';
import { useMessages } from './i18n.tsx';

/** The texts about summaries, and about the tokens of a prompt, in the person's language. */
export const useCompactionTexts = (): typeof compactionTexts => useMessages().compaction ?? compactionTexts;

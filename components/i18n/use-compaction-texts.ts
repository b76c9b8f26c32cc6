import { compactionTexts } from './compaction-texts.ts';
import { useMessages } from './i18n.tsx';

/** The texts about summaries in the person's language. */
export const useCompactionTexts = (): typeof compactionTexts => useMessages().compaction ?? compactionTexts;

/**
 * The beginning of each id under which a compaction writes files. A change of a file names a call's id as its author; for a
 * compaction, it names such an id instead.
 */
export const COMPACTION_AUTHOR = 'compaction-';

/** The id under which a compaction writes files, in place of a call's id. */
export const compactionAuthor = (id: string): string => `${COMPACTION_AUTHOR}${id}`;

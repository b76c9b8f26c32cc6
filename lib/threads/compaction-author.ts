/** The beginning of the ids under which compactions write files. They take the place of a call's id. */
export const COMPACTION_AUTHOR = 'compaction-';

/** The id under which a compaction writes files, in place of a call's id. */
export const compactionAuthor = (id: string): string => `${COMPACTION_AUTHOR}${id}`;

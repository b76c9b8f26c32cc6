/** The beginning of the names under which compactions change files, like calls. */
export const COMPACTION_AUTHOR = 'compaction-';

/** The name under which a compaction changes files. */
export const compactionAuthor = (id: string): string => `${COMPACTION_AUTHOR}${id}`;

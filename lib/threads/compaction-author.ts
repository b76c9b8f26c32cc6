/**
 * The beginning of the ids under which compactions (points from which prompts are shortened) save files. A change of a file
 * names a call's id as its author; for a compaction, it names such an id instead.
 */
export const COMPACTION_AUTHOR = 'compaction-';

/** Returns the id under which the compaction with this id saves files, in place of a call's id. */
export const compactionAuthor = (id: string): string => `${COMPACTION_AUTHOR}${id}`;

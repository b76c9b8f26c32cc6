/** The name under which a compaction changes files, like a call. */
export const compactionAuthor = (id: string): string => `compaction-${id}`;

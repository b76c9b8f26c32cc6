/** The beginning of the ids of threads and workspaces that nothing stores: they end with their page. */
const PREFIX = 'temporary-';

/** Checks by its id whether a thread or a workspace ends with its page. */
export const isTemporary = (id: string): boolean => id.startsWith(PREFIX);

/** An id for a temporary thread, or for the workspace of one. */
export const temporaryId = (): string => PREFIX + crypto.randomUUID();

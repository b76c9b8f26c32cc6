/** The beginning of the ids of temporary threads and workspaces, which are not stored and end with the studio's tab. */
const PREFIX = 'temporary-';

/** Checks by its id whether a thread or a workspace is temporary: not stored, and gone with the studio's tab. */
export const isTemporary = (id: string): boolean => id.startsWith(PREFIX);

/** An id for a temporary thread, or for the workspace of one. */
export const temporaryId = (): string => PREFIX + crypto.randomUUID();

/**
 * Makes an id for a new thread in a workspace: one of a temporary thread if the workspace is temporary. With null, the
 * workspace is not chosen yet, and the thread is not temporary.
 */
export const newThreadId = (workspaceId: string | null): string =>
  workspaceId !== null && isTemporary(workspaceId) ? temporaryId() : crypto.randomUUID();

/**
 * The key in session storage under which this tab keeps its name: a random id that tells the files attached to this tab's
 * drafts from those of other tabs in IndexedDB.
 */
export const TAB_NAME_KEY = 'roundtrip-studio:draft-files';

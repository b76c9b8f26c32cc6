/**
 * The key in session storage of this tab's name: a random id under which IndexedDB has the files that are attached to the tab's
 * drafts.
 */
export const DRAFT_FILES_KEY = 'roundtrip-studio:draft-files';

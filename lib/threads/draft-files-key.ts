/**
 * The key in session storage of this tab's name: a random id under which IndexedDB has the files that are attached to the tab's
 * drafts.
 */
export const TAB_NAME_KEY = 'roundtrip-studio:draft-files';

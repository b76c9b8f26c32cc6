/** The key in session storage for a tab's name, under which its drafts' files are stored in IndexedDB. */
export const DRAFT_FILES_KEY = 'roundtrip-studio:draft-files';

/** The key in the session storage of the name under which a tab keeps the files of its drafts. */
export const DRAFT_FILES_KEY = 'roundtrip-studio:draft-files';

/** The key in the session storage under which the messages are kept that could not be stored. */
export const UNSTORED_KEY = 'roundtrip-studio:unstored';

/** The key in the session storage of the name under which this tab keeps the files of its drafts. */
export const DRAFT_FILES_KEY = 'roundtrip-studio:draft-files';

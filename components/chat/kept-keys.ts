/** The key in the session storage under which the messages are kept that could not be stored. */
export const UNSTORED_KEY = 'roundtrip-studio:unstored';

/** The key in the session storage of the name under which this tab keeps the files of its drafts. */
export const DRAFT_FILES_KEY = 'roundtrip-studio:draft-files';

/** The key of drafts: in the session storage those of this tab, in the local storage those of tabs that were closed. */
export const DRAFTS_KEY = 'roundtrip-studio:drafts';

/** The key in the session storage for messages that the database could not store before the page was closed. */
export const UNSTORED_KEY = 'roundtrip-studio:unstored';

/** The key of drafts: in the session storage those of this tab, in the local storage those of tabs that were closed. */
export const DRAFTS_KEY = 'roundtrip-studio:drafts';

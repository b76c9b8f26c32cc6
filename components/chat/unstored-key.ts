/** The place in a tab's session storage for messages that a page may not have stored when it was closed. */
export const UNSTORED_KEY = 'roundtrip-studio:unstored';

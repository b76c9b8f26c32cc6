/** Where a page that is closed leaves the messages that may not be stored, in this tab's session storage. */
export const UNSTORED_KEY = 'roundtrip-studio:unstored';

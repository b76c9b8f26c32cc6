const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes a name safe to show: bidirectional control characters are shown as escapes, not applied. */
export const visibleText = (text: string): string =>
  text.replace(BIDI_CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

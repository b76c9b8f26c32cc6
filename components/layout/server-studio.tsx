import { OpeningText } from './opening-text.tsx';

/**
 * Replaces `studio-root.tsx` on the server (see next.config.mjs), where no studio can be opened: its code would be
 * compiled, and kept, a second time for a line of text.
 */
export const StudioRoot = OpeningText;

import { OpeningText } from './opening-text.tsx';

/**
 * Replaces `studio-root.tsx` on the server (see next.config.mjs), where no studio can be opened and only this text is
 * rendered, so that the studio's code is not compiled for the server, too.
 */
export const StudioRoot = OpeningText;

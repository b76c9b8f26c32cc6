import type { MarkedExtension } from 'marked';
import markedCjkFriendly from 'marked-cjk-friendly';

/** A single tilde strikes nothing through: “5~7” is a range. */
const DOUBLE_TILDE: MarkedExtension = {
  tokenizer: { del: (source) => (source.startsWith('~~') ? false : undefined) },
};

/** Extensions of `marked` for Markdown as models write it, like those with which answers are shown. */
export const markdownDialect = (): MarkedExtension[] => [markedCjkFriendly(), DOUBLE_TILDE];

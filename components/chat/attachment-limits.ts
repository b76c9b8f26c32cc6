/** Maximum size of an attached picture or text, in bytes. Documents such as PDFs may be larger: only their text is sent. */
export const ATTACHMENT_MAX_BYTES = 8_000_000;

/** The most bytes of a text that is attached when it is referred to with `@`. */
export const MENTION_MAX_BYTES = 32_000;

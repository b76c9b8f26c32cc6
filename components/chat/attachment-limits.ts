/** Maximum size of an attached picture or text, in bytes. Documents such as PDFs may be larger: only their text is sent. */
export const ATTACHMENT_MAX_BYTES = 8_000_000;

/** The maximum size, in bytes, of a text file of the workspace that is attached because the message refers to it with `@`. */
export const MENTION_MAX_BYTES = 32_000;

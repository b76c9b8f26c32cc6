/**
 * The longest time, in milliseconds, for which answers wait for the code that renders Markdown before they are shown as
 * plain text.
 */
export const RENDERER_WAIT_MS = 1_000;

/**
 * Replaces `react-textarea-autosize` (see next.config.mjs), which assistant-ui imports for message boxes that do not bring an
 * element of their own. The studio's do, and are sized by the browser, so this is never rendered; it would throw.
 */
export default function NoAutosize(): never {
  throw new Error('Give the message box an element of its own.');
}

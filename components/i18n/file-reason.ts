import type { AllMessages } from './catalog.ts';

/**
 * Returns the reason why an operation on a file failed, for a text that names the file: words for the `code` of a
 * `FileSystemError`, or the error's message.
 */
export const fileReason = (error: Error & { code?: string }, t: AllMessages): string =>
  (error.code === undefined ? undefined : t.files.reasons[error.code]) ?? error.message;

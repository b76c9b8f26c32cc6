import type { AllMessages } from './catalog.ts';

/** Explains why an operation on a file failed, for a place that names the file. `code`: of a `FileSystemError`. */
export const fileReason = (error: Error & { code?: string }, t: AllMessages): string =>
  (error.code === undefined ? undefined : t.files.reasons[error.code]) ?? error.message;

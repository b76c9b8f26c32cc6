import { messageOf } from '#lib/base/message-of.ts';
/** The time limit for formatting, in milliseconds. After that, the file is saved without being formatted. */
export const FORMAT_TIMEOUT_MS = 3_000;

/** The reason why a file was saved without being formatted: the formatter took too long, or it failed. */
export type FormatProblem = { type: 'late' } | { type: 'failed'; detail: string };

interface FormatOptions {
  /** Formats the text; undefined if there is no formatter. Changes nothing if the text changes before the formatter is done. */
  format: (() => Promise<void>) | undefined;
  /** Cancels the formatting that is running, which then changes nothing. */
  cancel(): void;
  save(): Promise<void>;
}

/**
 * Formats a text with `format`, if there is one, then saves it even if that fails. Resolves with the problem if formatting
 * failed, or took too long and was cancelled; otherwise with undefined. Rejects if `save` does.
 */
export async function formatAndSave({ format, cancel, save }: FormatOptions): Promise<FormatProblem | undefined> {
  const problem = format === undefined ? undefined : await formatInTime(format, cancel);
  await save();
  return problem;
}

async function formatInTime(format: () => Promise<void>, cancel: () => void): Promise<FormatProblem | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<FormatProblem>((resolve) => {
    timer = setTimeout(() => {
      cancel();
      resolve({ type: 'late' });
    }, FORMAT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([format().then(() => undefined), late]);
  } catch (error) {
    return { type: 'failed', detail: messageOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

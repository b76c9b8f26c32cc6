import { startOf } from '#lib/base/cut-text.ts';
import { counted } from '#lib/tools/core/counted.ts';
import { textOfDocument } from '#lib/tools/documents/document-text.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { withoutUnseen } from '#lib/tools/web/body-text.ts';
import { type Reading, readingOf } from './attached-document.ts';

/** The text of an attached document as its message has it. */
interface AttachedText {
  text: string;
  /** The line at which a model reads on, from 1; undefined if all of the text is there, or if there is none. */
  next: number | undefined;
}

/** The number of sent files that are remembered, in case their message comes back. */
const REMEMBERED = 20;

const remembered = new Map<string, File>();

/**
 * Returns the document that a sent message had as this text or placeholder (`markOf`), so that it can be attached again if
 * the message could not be sent; undefined if it is not among the latest ones, or there was none.
 */
export const fileOfText = (text: string): File | undefined => remembered.get(text);

/**
 * Waits until an attached document has been read, and returns its text for the message, or a notice if it could not be read.
 * Of a long text, returns only the beginning, and as `next` the line at which the model can read on. Undefined for files
 * that are not documents.
 */
export async function attachedText(file: File): Promise<AttachedText | undefined> {
  const reading = await readingOf(file);
  if (reading === undefined) return undefined;
  const made = textFor(file.name, reading);
  remember(made.text, file);
  return made;
}

/**
 * Returns a unique placeholder that stands in a message for an attached document until `attachedText` has its text, so that
 * the message box need not wait for it; undefined for other files.
 */
export function placeholderOf(file: File): string | undefined {
  if (readingOf(file) === undefined) return undefined;
  const mark = `[${inNotice(file.name)}: ${crypto.randomUUID()}]`;
  remember(mark, file);
  return mark;
}

function remember(text: string, file: File): void {
  remembered.delete(text);
  remembered.set(text, file);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= REMEMBERED) break;
    remembered.delete(oldest);
  }
}

/** A file's name for a notice in brackets, which it can neither end nor continue on a line of its own. */
const inNotice = (filename: string): string =>
  withoutUnseen(filename.replace(/\s+/g, ' ')).text.replaceAll('[', '(').replaceAll(']', ')');

/**
 * Returns the length, in characters, of the text that a message has for an attached document, once the document has been
 * read. For any other file, returns its size in bytes instead.
 */
export async function attachedSize(file: File): Promise<number> {
  const reading = await readingOf(file);
  return reading === undefined ? file.size : textFor(file.name, reading).text.length;
}

function textFor(ofFile: string, reading: Reading): AttachedText {
  const { name } = reading;
  const filename = inNotice(ofFile);
  if (reading.type === 'failed')
    return { text: `[${filename} is ${name}. Its text could not be read: ${reading.message}]`, next: undefined };
  const { unit, count, parts, notes } = reading.document;
  const about = `${filename} is ${name}${unit === 'text' ? '' : ` of ${counted(count, unit)}`}.`;
  const { shown, next } = beginningOf(textOfDocument(parts));
  // Notes about the end of the text are for those who see it.
  const notices = [about, ...(next === undefined ? notes : [])].map((notice) => `[${notice}]`);
  return { text: [notices[0], shown, ...notices.slice(1)].join('\n'), next };
}

/** As many whole lines of a text as go with a message; at least a part of the first one. */
function beginningOf(text: string): { shown: string; next: number | undefined } {
  if (text.length <= DOCUMENT_LIMITS.attachedText) return { shown: text, next: undefined };
  const lines = text.split('\n');
  let length = 0;
  let count = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > DOCUMENT_LIMITS.attachedText) break;
    count++;
  }
  if (count === 0) return { shown: startOf(text, DOCUMENT_LIMITS.attachedText), next: 1 };
  return { shown: lines.slice(0, count).join('\n'), next: count + 1 };
}

import { startOf } from '#lib/base/cut-text.ts';
import { counted } from '#lib/tools/core/counted.ts';
import { textOfDocument } from '#lib/tools/documents/document-text.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
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

/** The file whose text this is, if a message with it has come back because it could not be sent. */
export const fileOfText = (text: string): File | undefined => remembered.get(text);

/** The text of an attached document for the message; undefined for other files. Waits until it has been read. */
export async function attachedText(file: File): Promise<AttachedText | undefined> {
  const reading = await readingOf(file);
  if (reading === undefined) return undefined;
  const made = textFor(file.name, reading);
  remembered.delete(made.text);
  remembered.set(made.text, file);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= REMEMBERED) break;
    remembered.delete(oldest);
  }
  return made;
}

/** The length of the text that goes with a message for an attached file: of a text about the size of the file. */
export async function attachedLength(file: File): Promise<number> {
  const reading = await readingOf(file);
  return reading === undefined ? file.size : textFor(file.name, reading).text.length;
}

function textFor(filename: string, reading: Reading): AttachedText {
  const { name } = reading;
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

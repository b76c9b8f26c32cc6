import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';

/** The name of the stream in which Office keeps an encrypted document. */
const ENCRYPTED = 'EncryptedPackage';

/** The part of a file that is searched for that name, in bytes. */
const SEARCHED_BYTES = 4_000_000;

/**
 * Returns the error for a file in the container format of old Microsoft Office, with what can be done: the file is an
 * encrypted document, or one of Office 97 to 2003. Neither can be read.
 */
export function oleProblem(data: Uint8Array): UnreadableDocument {
  const text = new TextDecoder('utf-16le').decode(data.subarray(0, SEARCHED_BYTES));
  return text.includes(ENCRYPTED)
    ? new UnreadableDocument(
        'encrypted',
        'The document is encrypted. Open it in Office, and save a copy without a password to have it read.',
      )
    : new UnreadableDocument(
        'old-format',
        'The document is in the format of Office 97 to 2003 (.doc, .xls, .ppt), which cannot be read. Open it in Office or LibreOffice, and save it as .docx, .xlsx, or .pptx.',
      );
}

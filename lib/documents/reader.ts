import { startOf } from '#lib/base/cut-text.ts';
import { messageOf } from '#lib/base/message-of.ts';
import type { DocumentRequest, DocumentText } from '#lib/tools/capabilities/documents.ts';
import type { WebDocument, WebText } from '#lib/tools/capabilities/web.ts';
import { counted } from '#lib/tools/core/counted.ts';
import { textOfDocument } from '#lib/tools/documents/document-text.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { limitBlocks, wasLimitReached } from './limit-blocks.ts';
import type { ReadPdfFile } from './pdf/pdf-js.ts';
import { IMAGES_NOTE } from './pdf/picture-name.ts';
import { NOT_LOADED, type ReadingProblem } from './reading-problem.ts';

/**
 * The interface of the worker that reads documents. If a document cannot be read, its methods resolve with a
 * `ReadingProblem` instead of rejecting, because an error would lose its kind on the way out of the worker.
 */
export interface Reader {
  /** Resolves immediately, which shows that the worker has started. */
  ready(): Promise<void>;
  /** Reads a file. */
  open(request: DocumentRequest): Promise<DocumentText | ReadingProblem>;
  /** Reads a document of the web. `isPlain`: whether to return only the text of an HTML page, which never takes long. */
  read(document: WebDocument, isPlain?: boolean): Promise<WebText | ReadingProblem>;
}

/**
 * Creates the `Reader` of a worker. `readPdfFile`: reads files of PDF.js. To be called only in a worker that does nothing else
 * and can be ended, because it limits what the worker's thread can do (see `limitBlocks`).
 */
export function createReader(readPdfFile: ReadPdfFile): Reader {
  limitBlocks();
  const open = async (request: DocumentRequest): Promise<DocumentText | ReadingProblem> => {
    const code = await import('./read-document.ts').catch(() => undefined);
    if (code === undefined) return NOT_LOADED;
    return code.readDocument(request, readPdfFile).catch((error: unknown) =>
      // Readers catch what they are told, and then stumble elsewhere.
      wasLimitReached() && !(error instanceof UnreadableDocument && error.problem === 'too-large')
        ? tooDense(request.format)
        : problemOf(error),
    );
  };
  return {
    ready: async () => undefined,
    open,
    async read(document, isPlain) {
      if (document.type === 'html') {
        const { readHtml } = await import('./html/read-html.ts');
        return within(readHtml(document.text, document.url, isPlain));
      }
      const read = await open({ data: document.data, format: 'pdf' });
      if ('problem' in read) return read;
      const { parts, count, notes } = read;
      const cut = `The first ${parts.length} of ${counted(count, 'page')} were read.`;
      // Nobody can ask for the images of a page on the web.
      const others = notes.filter((note) => !note.startsWith(IMAGES_NOTE));
      return within({ text: textOfDocument(parts), notes: parts.length < count ? [cut] : others });
    },
  };
}

const tooDense = (format: DocumentRequest['format']): ReadingProblem => ({
  problem: 'too-large',
  message: `The ${format === 'pdf' ? 'PDF' : 'file'} is packed so densely that it takes too much memory to be read.`,
});

function problemOf(error: unknown): ReadingProblem {
  if (error instanceof UnreadableDocument) return { problem: error.problem, message: error.message };
  return {
    problem: 'damaged',
    message: `The document is damaged and cannot be read (${messageOf(error).slice(0, 200)}).`,
  };
}

function within(page: WebText): WebText {
  const { length } = page.text;
  if (length <= DOCUMENT_LIMITS.text) return page;
  const note = `The text was cut after ${DOCUMENT_LIMITS.text} of ${length} characters.`;
  return { ...page, text: startOf(page.text, DOCUMENT_LIMITS.text), notes: [...page.notes, note] };
}

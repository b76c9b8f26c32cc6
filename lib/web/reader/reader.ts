import { startOf } from '#lib/base/cut-text.ts';
import type { WebDocument, WebText } from '#lib/tools/capabilities/web.ts';
import { WEB_LIMITS } from '#lib/tools/web/limits.ts';
import { limitBlocks } from './limit-blocks.ts';

const TOO_DENSE = 'The PDF is packed so densely that it takes too much memory to be read.';

/**
 * The interface of the worker that reads documents. For a document that cannot be read, it resolves with the `problem` and does
 * not reject, so that the reason is not lost.
 */
export interface Reader {
  /** Reads a document. `isPlain`: whether to return only the text of an HTML page, which never takes long. */
  read(document: WebDocument, isPlain?: boolean): Promise<WebText | { problem: string }>;
}

/**
 * Makes the object that reads documents. Only for a worker of its own, which can be ended: from then on, the worker's thread
 * can do less (see `limitBlocks`).
 */
export function createReader(): Reader {
  const wasLimited = limitBlocks();
  return {
    async read(document, isPlain) {
      if (document.type === 'html') {
        const { readHtml } = await import('./read-html.ts');
        return within(readHtml(document.text, document.url, isPlain));
      }
      const { readPdf } = await import('./read-pdf.ts');
      // Readers catch what they are told, and then stumble elsewhere.
      const problemOf = ({ message }: Error): string => (wasLimited() ? TOO_DENSE : message);
      return readPdf(document.data).then(within, (error: Error) => ({ problem: problemOf(error) }));
    },
  };
}

function within(page: WebText): WebText {
  const { length } = page.text;
  if (length <= WEB_LIMITS.documentText) return page;
  const note = `The text was cut after ${WEB_LIMITS.documentText} of ${length} characters.`;
  return { ...page, text: startOf(page.text, WEB_LIMITS.documentText), notes: [...page.notes, note] };
}

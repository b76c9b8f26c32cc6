import { getDocumentProxy } from 'unpdf';
import { startOf } from '#lib/base/cut-text.ts';
import type { WebText } from '#lib/tools/capabilities/web.ts';
import { counted } from '#lib/tools/core/counted.ts';
import { WEB_LIMITS } from '#lib/tools/web/limits.ts';

/**
 * Thrown for a PDF that cannot be read, for example because it is encrypted or damaged. The message is the reason, as a
 * sentence.
 */
class UnreadablePdf extends Error {
  override readonly name = 'UnreadablePdf';
}

/**
 * The text of a PDF, page by page. Its scripts and actions do nothing, and nothing is loaded. Rejects with
 * `UnreadablePdf`. Must run in a thread that `limitBlocks` has prepared.
 */
export async function readPdf(data: Uint8Array): Promise<WebText> {
  try {
    const pdf = await getDocumentProxy(data, { verbosity: 0 });
    const notes: string[] = [];
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= pdf.numPages && number <= WEB_LIMITS.pdfPages; number++) {
      const page = await textOf(await pdf.getPage(number));
      pages.push(`## Page ${number}\n\n${page}`);
      length += page.length;
      if (length <= WEB_LIMITS.documentText) continue;
      notes.push(`The text was cut on page ${number}.`);
      break;
    }
    if (pdf.numPages > WEB_LIMITS.pdfPages)
      notes.push(`The first ${WEB_LIMITS.pdfPages} of ${counted(pdf.numPages, 'page')} were read.`);
    if (length === 0) notes.push('The pages have no text; they may be scanned images.');
    return { text: startOf(pages.join('\n\n'), WEB_LIMITS.documentText), notes };
  } catch (error) {
    throw new UnreadablePdf(reasonOf(error));
  }
}

async function textOf(
  page: Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>,
): Promise<string> {
  const { items } = await page.getTextContent();
  page.cleanup();
  return items
    .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    .join('')
    .trim();
}

function reasonOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'PasswordException') return 'The PDF is encrypted, and its text cannot be read without a password.';
  return `The PDF is damaged and cannot be read (${message.slice(0, 200)}).`;
}

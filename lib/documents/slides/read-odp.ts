import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { readParts } from '../read-parts.ts';
import { openDocumentHandlers } from '../texts/open-document-text.ts';
import { TextWriter } from '../texts/text-writer.ts';
import { readXml } from '../xml/read-xml.ts';
import type { PackedDocument } from '../zip/packed-document.ts';

/**
 * Reads the slides of an OpenDocument presentation with the speaker's notes. `pages`: the numbers of the slides, such as
 * `3-7, 9`; all if undefined. Rejects with `UnreadableDocument` if there are no such slides, or the file cannot be read.
 */
export async function readOdp(packed: PackedDocument, pages: string | undefined): Promise<DocumentText> {
  const slides: { body: TextWriter; notes: TextWriter }[] = [];
  let isNote = false;
  const handlers = openDocumentHandlers(() => {
    const slide = slides.at(-1);
    return (isNote ? slide?.notes : slide?.body) ?? new TextWriter();
  });
  readXml(packed, 'content.xml', {
    ...handlers,
    open(name, attributes) {
      if (name === 'page') slides.push({ body: new TextWriter(), notes: new TextWriter() });
      if (name === 'notes') isNote = true;
      handlers.open(name, attributes);
    },
    close(name) {
      handlers.close?.(name);
      if (name === 'notes') isNote = false;
    },
    isDone: () => false,
  });
  return readParts({ unit: 'slide', count: slides.length }, pages, (number) => {
    const { body, notes } = slides[number - 1] ?? {};
    const spoken = notes?.text ?? '';
    return {
      label: `Slide ${number}`,
      text: [body?.text ?? '', ...(spoken === '' ? [] : [`Notes: ${spoken}`])].join('\n\n'),
    };
  });
}

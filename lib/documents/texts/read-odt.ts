import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { readXml } from '../xml/read-xml.ts';
import type { PackedDocument } from '../zip/packed-document.ts';
import { openDocumentHandlers } from './open-document-text.ts';
import { textInPieces } from './text-in-pieces.ts';
import { TextWriter } from './text-writer.ts';

/**
 * Reads an OpenDocument text as Markdown. `pages`: the number of the piece to read of a long text (see `textInPieces`).
 * Rejects with `UnreadableDocument` if a long text has no such piece, or the file cannot be read.
 */
export const readOdt = (packed: PackedDocument, pages: string | undefined): Promise<DocumentText> =>
  textInPieces(pages, (length) => {
    const writer = new TextWriter(length);
    readXml(
      packed,
      'content.xml',
      openDocumentHandlers(() => writer),
    );
    return writer.text;
  });

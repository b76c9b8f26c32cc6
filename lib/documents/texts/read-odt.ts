import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { readXml } from '../xml/read-xml.ts';
import type { PackedDocument } from '../zip/packed-document.ts';
import { openDocumentHandlers } from './open-document-text.ts';
import { textInPieces } from './text-in-pieces.ts';
import { TextWriter } from './text-writer.ts';

/** Reads an OpenDocument text as Markdown, or the piece of a long one that `pages` names. Rejects with `UnreadableDocument`. */
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

import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { readParts } from '../read-parts.ts';
import { readXml } from '../xml/read-xml.ts';
import type { PackedDocument } from '../zip/packed-document.ts';
import { openDocumentHandlers } from './open-document-text.ts';
import { TextWriter } from './text-writer.ts';

/** Reads an OpenDocument text as Markdown. Rejects with `UnreadableDocument`. */
export async function readOdt(packed: PackedDocument): Promise<DocumentText> {
  const writer = new TextWriter();
  readXml(
    packed,
    'content.xml',
    openDocumentHandlers(() => writer),
  );
  return readParts({ unit: 'text', count: 1 }, undefined, () => ({ label: 'Text', text: writer.text }));
}

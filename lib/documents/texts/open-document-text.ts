import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import type { Attributes, XmlHandlers } from '../xml/read-xml.ts';
import type { TextWriter } from './text-writer.ts';

/** Elements whose text is not part of the document's: what was deleted, comments, and what readers of screens say. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['tracked-changes', 'annotation', 'forms', 'scripts', 'font-face-decls', 'automatic-styles', 'title', 'desc'],
  ...[
    'table-of-content-source',
    'illustration-index-source',
    'alphabetical-index-source',
    'dde-source',
    'note-citation',
    'page-number',
  ],
]);

/**
 * Returns the handlers for `readXml` that write an OpenDocument text or presentation as Markdown, without comments and deleted
 * text. `writer`: returns the writer that gets what is read next. It is called again for each element and piece of text, so a
 * caller can change the writer, for example with each slide.
 */
export function openDocumentHandlers(
  writer: () => TextWriter,
): XmlHandlers & { open(name: string, attributes: Attributes): void } {
  let leftOut = 0;
  let lists = 0;
  let prefix = '';
  let paragraphs = 0;
  const notes: { text: string; prefix: string }[] = [];
  return {
    open(name, attributes) {
      if (LEFT_OUT.has(name)) leftOut++;
      if (leftOut > 0) return;
      const out = writer();
      if (name === 'p' || name === 'h') {
        paragraphs++;
        if (name === 'h')
          prefix = `${'#'.repeat(Math.min(6, Math.max(1, Number(attributes['text:outline-level'] ?? 1) || 1)))} `;
        else if (lists > 0 && prefix === '') prefix = `${'  '.repeat(lists - 1)}- `;
      } else if (name === 'list') lists++;
      else if (name === 'note') out.add(' (');
      else if (name === 's')
        out.add(' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, DOCUMENT_LIMITS.repeated)));
      else if (name === 'tab') out.add('\t');
      else if (name === 'line-break') out.add('\n');
      else if (name === 'table') out.openTable();
      else if (name === 'table-row') out.openRow();
      else if (name === 'note-body') notes.push({ text: '', prefix });
    },
    text(piece) {
      // White space between elements is no text.
      if (leftOut === 0 && paragraphs > 0) writer().add(piece.replace(/\s+/g, ' '));
    },
    close(name) {
      if (LEFT_OUT.has(name)) leftOut--;
      if (leftOut > 0) return;
      const out = writer();
      if (name === 'p' || name === 'h') {
        paragraphs--;
        // A footnote stands within the paragraph that it belongs to.
        if (paragraphs > 0) {
          if (notes.length === 0) out.end(prefix);
          else out.add(' ');
          return;
        }
        out.end(prefix);
        prefix = '';
      } else if (name === 'list') lists--;
      else if (name === 'note-body') notes.pop();
      else if (name === 'note') out.add(')');
      else if (name === 'table-cell' || name === 'covered-table-cell') out.closeCell();
      else if (name === 'table') out.closeTable();
    },
    isDone: () => writer().isFull,
  };
}

import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { readParts } from '../read-parts.ts';
import { TextWriter } from '../texts/text-writer.ts';
import { readXml } from '../xml/read-xml.ts';
import { relationsOf } from '../xml/relations.ts';
import type { PackedDocument } from '../zip/packed-document.ts';

/** The kinds of placeholders that repeat the same text on every slide. */
const REPEATED: ReadonlySet<string> = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

/**
 * Reads the slides of a PowerPoint presentation with the speaker's notes. `pages`: the numbers of the slides, such as
 * `3-7, 9`; all if undefined. Rejects with `UnreadableDocument` if there are no such slides, or the file cannot be read.
 */
export async function readPptx(packed: PackedDocument, pages: string | undefined): Promise<DocumentText> {
  const main = [...relationsOf(packed, '').values()].find(({ type }) => type === 'officeDocument')?.path;
  const path = main !== undefined && packed.has(main) ? main : 'ppt/presentation.xml';
  const relations = relationsOf(packed, path);
  const slides: string[] = [];
  readXml(packed, path, {
    open(name, attributes) {
      if (name !== 'sldId') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const slide = relations.get(id)?.path;
      if (slide !== undefined && packed.has(slide)) slides.push(slide);
    },
  });
  return readParts({ unit: 'slide', count: slides.length }, pages, (number) => {
    const slide = slides[number - 1] ?? '';
    const { text, isHidden } = readSlide(packed, slide);
    const notes = [...relationsOf(packed, slide).values()].find(({ type }) => type === 'notesSlide')?.path;
    const spoken = notes !== undefined && packed.has(notes) ? readSlide(packed, notes).text : '';
    return {
      label: `Slide ${number}${isHidden ? ' (hidden)' : ''}`,
      text: [text, ...(spoken === '' ? [] : [`Notes: ${spoken}`])].join('\n\n'),
    };
  });
}

/** The text of a slide, or of the page with its notes. */
function readSlide(packed: PackedDocument, path: string): { text: string; isHidden: boolean } {
  const out = new TextWriter();
  let placeholder = '';
  let level = 0;
  let isText = false;
  /** The depth within alternatives that repeat what was read already. */
  let repeated = 0;
  let isHidden = false;
  readXml(packed, path, {
    open(name, attributes) {
      if (name === 'Fallback') repeated++;
      if (repeated > 0) return;
      if (name === 'sld' || name === 'notes') isHidden = attributes.show === '0';
      else if (name === 'sp' || name === 'graphicFrame' || name === 'pic') placeholder = '';
      else if (name === 'ph') placeholder = attributes.type ?? 'body';
      else if (name === 'pPr') level = Number(attributes.lvl ?? 0);
      else if (name === 'p') level = 0;
      else if (name === 'tbl') out.openTable();
      else if (name === 'tr') out.openRow();
      else if (name === 'br') out.add('\n');
      isText = name === 't' && !REPEATED.has(placeholder);
    },
    text(piece) {
      if (isText && repeated === 0) out.add(piece);
    },
    close(name) {
      isText = false;
      if (name === 'Fallback') repeated--;
      if (repeated > 0) return;
      if (name === 'p')
        out.end(/^(?:title|ctrTitle)$/.test(placeholder) ? '# ' : level > 0 ? `${'  '.repeat(level)}- ` : '');
      else if (name === 'tc') out.closeCell();
      else if (name === 'tbl') out.closeTable();
    },
    isDone: () => out.isFull,
  });
  return { text: out.text, isHidden };
}

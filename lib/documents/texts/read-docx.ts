import { zipSync } from 'fflate';
import mammoth from 'mammoth';
import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { htmlText } from '../html/html-text.ts';
import { readXml } from '../xml/read-xml.ts';
import { relationsOf } from '../xml/relations.ts';
import type { PackedDocument } from '../zip/packed-document.ts';
import { hidesRun, withoutHiddenRuns } from './hidden-runs.ts';
import { textInPieces } from './text-in-pieces.ts';
import { TextWriter } from './text-writer.ts';

/**
 * Reads a Word document as Markdown, with headings, lists, tables, and notes, but without hidden text. Macros do nothing, and
 * external content is not loaded. A document that is too large or too complex for its layout is read as plain paragraphs.
 * `pages`: the number of the piece to read of a long text (see `textInPieces`). Rejects with `UnreadableDocument` if there is
 * no such piece, or the file cannot be read.
 */
export async function readDocx(packed: PackedDocument, pages: string | undefined): Promise<DocumentText> {
  const main = [...relationsOf(packed, '').values()].find(({ type }) => type === 'officeDocument')?.path;
  const path = main !== undefined && packed.has(main) ? main : 'word/document.xml';
  let isPlain = false;
  const read = await textInPieces(pages, async (length) => {
    const paragraphs = paragraphsOf(packed, path, length);
    const laidOut = paragraphs.length > DOCUMENT_LIMITS.text ? undefined : await withLayout(packed);
    isPlain = laidOut === undefined && paragraphs.text !== '';
    return laidOut ?? paragraphs.text;
  });
  return isPlain
    ? {
        ...read,
        notes: [...read.notes, 'The document is too large or too complex for its layout, so these are its paragraphs.'],
      }
    : read;
}

/** The plain paragraphs of a document, so many characters of them. Throws `UnreadableDocument`. */
function paragraphsOf(packed: PackedDocument, path: string, length: number): TextWriter {
  const out = new TextWriter(length);
  let isText = false;
  let isHidden = false;
  let repeated = 0;
  readXml(packed, path, {
    open(name, attributes) {
      if (name === 'r') isHidden = false;
      if (hidesRun(name, attributes)) isHidden = true;
      if (name === 'Fallback') repeated++;
      isText = name === 't';
      if (repeated > 0) return;
      if (name === 'tab') out.add('\t');
      if (name === 'br' || name === 'cr') out.add('\n');
    },
    text(piece) {
      if (isText && !isHidden && repeated === 0) out.add(piece);
    },
    close(name) {
      if (name === 'Fallback') repeated--;
      isText = false;
      if (name === 'r' || name === 'pPr') isHidden = false;
      if (name === 'p') out.end();
    },
    isDone: () => out.isFull,
  });
  return out;
}

/**
 * The document as Markdown; undefined if it is too large, or if the library cannot read it. The library gets only the XML files,
 * which have been unpacked within the limits, so it unpacks nothing itself.
 */
async function withLayout(packed: PackedDocument): Promise<string | undefined> {
  const files: Record<string, Uint8Array> = {};
  for (const name of packed.names) {
    if (!/\.(?:xml|rels)$/.test(name)) continue;
    const content = packed.bytes(name);
    if (content === undefined) return undefined;
    if (/<!(?:DOCTYPE|ENTITY)/i.test(new TextDecoder().decode(content.subarray(0, 2_000))))
      throw new UnreadableDocument(
        'too-complex',
        'The document declares XML entities, which documents do not need, so it is not read.',
      );
    files[name] = withoutHidden(content);
  }
  const repacked = zipSync(files, { level: 0 });
  try {
    const { value } = await mammoth.convertToHtml(inputOf(repacked), {
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      externalFileAccess: false,
    });
    return htmlText(value);
  } catch {
    // Its paragraphs could be read, so they are shown.
    return undefined;
  }
}

/** An XML file without the text that the document hides, which the library would show. */
function withoutHidden(content: Uint8Array): Uint8Array {
  const xml = new TextDecoder().decode(content);
  return xml.includes('vanish') ? new TextEncoder().encode(withoutHiddenRuns(xml)) : content;
}

/** The library's builds for browsers and for Node take the file under different names. */
const inputOf = (data: Uint8Array<ArrayBuffer>) => ({ arrayBuffer: data.buffer, buffer: data }) as never;

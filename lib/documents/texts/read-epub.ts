import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { htmlText } from '../html/html-text.ts';
import { readParts } from '../read-parts.ts';
import { readXml } from '../xml/read-xml.ts';
import { pathFrom } from '../xml/relations.ts';
import type { PackedDocument } from '../zip/packed-document.ts';

/** Ways of encryption that only hide fonts. */
const FONT_ENCRYPTION = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

/**
 * Reads the chapters of an e-book in the order of reading; a note takes the place of one that is encrypted. `pages`: the
 * numbers of the chapters, such as `3-7, 9`; all if undefined. Rejects with `UnreadableDocument` if all chapters are
 * encrypted, there are no such chapters, or the file cannot be read.
 */
export async function readEpub(packed: PackedDocument, pages: string | undefined): Promise<DocumentText> {
  const chapters = chaptersOf(packed);
  const hidden = encryptedFiles(packed);
  if (chapters.length === 0) throw new UnreadableDocument('damaged', 'The e-book is damaged: it lists no chapters.');
  if (chapters.every((path) => hidden.has(path)))
    throw new UnreadableDocument('protected', 'The e-book is protected against copying, so its text cannot be read.');
  return readParts({ unit: 'chapter', count: chapters.length }, pages, (number) => {
    const path = chapters[number - 1] ?? '';
    const label = `Chapter ${number}`;
    if (!packed.has(path)) return { label, text: '(The file of this chapter is missing.)' };
    if (hidden.has(path)) return { label, text: '(This chapter is encrypted.)' };
    const content = packed.bytes(path);
    if (content === undefined) return { label, text: '(This chapter is too large to be read.)' };
    return { label, text: htmlText(new TextDecoder(isWide(content) ? 'utf-16' : 'utf-8').decode(content)) };
  });
}

const isWide = ([first, second]: Uint8Array): boolean => first === 0xff && second === 0xfe;

/** The paths of the chapters, in the order of reading. */
function chaptersOf(packed: PackedDocument): string[] {
  let book = '';
  readXml(packed, 'META-INF/container.xml', {
    open(name, { 'full-path': path }) {
      if (name === 'rootfile' && book === '') book = path ?? '';
    },
  });
  const folder = book.slice(0, book.lastIndexOf('/') + 1);
  const files = new Map<string, string>();
  const order: string[] = [];
  readXml(packed, book, {
    open(name, { id = '', href = '', idref = '' }) {
      if (name === 'item') files.set(id, pathFrom(folder, decoded(href)));
      else if (name === 'itemref') order.push(idref);
    },
  });
  return order.flatMap((id) => files.get(id) ?? []);
}

function encryptedFiles(packed: PackedDocument): ReadonlySet<string> {
  const files = new Set<string>();
  const list = 'META-INF/encryption.xml';
  if (!packed.has(list)) return files;
  let isFont = false;
  readXml(packed, list, {
    open(name, { Algorithm: algorithm = '', URI: path = '' }) {
      if (name === 'EncryptedData') isFont = false;
      if (name === 'EncryptionMethod') isFont = FONT_ENCRYPTION.test(algorithm);
      if (name === 'CipherReference' && !isFont) files.add(pathFrom('', decoded(path)));
    },
  });
  return files;
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address.replace(/#.*$/, ''));
  } catch {
    // It is written as it is.
    return address;
  }
}

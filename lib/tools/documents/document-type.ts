import { unzipSync } from 'fflate';
import { decodeUtf8 } from '#lib/vfs/text.ts';

/**
 * A format of documents that the studio recognizes. It can read all but `ole`, the old or encrypted formats of Microsoft
 * Office.
 */
export type DocumentFormat = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'odt' | 'ods' | 'odp' | 'rtf' | 'epub' | 'ole';

/** The names of the formats, with an article, as in “The file is a PDF”. */
export const FORMAT_NAMES: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'a PDF',
  docx: 'a Word document',
  xlsx: 'an Excel workbook',
  pptx: 'a PowerPoint presentation',
  odt: 'an OpenDocument text',
  ods: 'an OpenDocument spreadsheet',
  odp: 'an OpenDocument presentation',
  rtf: 'an RTF document',
  epub: 'an e-book (EPUB)',
  ole: 'a document in an old or encrypted format of Microsoft Office',
};

/** The formats by the ends of file names. Templates and documents with macros have the same format as plain ones. */
const BY_NAME: ReadonlyMap<string, DocumentFormat> = new Map([
  ...(['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'rtf', 'epub'] as const).map((end) => [end, end] as const),
  ...(['docm', 'dotx', 'dotm'] as const).map((end) => [end, 'docx'] as const),
  ...(['xlsm', 'xltx', 'xltm'] as const).map((end) => [end, 'xlsx'] as const),
  ...(['pptm', 'potx', 'potm', 'ppsx', 'ppsm'] as const).map((end) => [end, 'pptx'] as const),
  ...(['ott'] as const).map((end) => [end, 'odt'] as const),
  ...(['ots'] as const).map((end) => [end, 'ods'] as const),
  ...(['otp'] as const).map((end) => [end, 'odp'] as const),
  ...(['doc', 'xls', 'ppt'] as const).map((end) => [end, 'ole'] as const),
]);

/** The beginnings of files, as characters of one byte each. */
const PDF = '%PDF-';
const RTF = '{\\rtf';
const ZIP = 'PK\x03\x04';
const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** The part of a file in which a PDF may begin, in bytes, as PDF readers accept it. */
const PDF_BEGINS_WITHIN = 1_024;

/**
 * Returns the format of documents that the extension of a file's name stands for: `ole`, which cannot be read, for `.doc`,
 * `.xls`, and `.ppt`. Undefined for any other file, also for a notebook.
 */
export const formatOfName = (name: string): DocumentFormat | undefined =>
  BY_NAME.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());

/** Checks whether a file may be a document, by its first bytes or its name; any ZIP file may be one. */
export function mayBeDocument(begin: Uint8Array, name: string): boolean {
  const start = asCharacters(begin.subarray(0, OLE.length));
  return formatOfName(name) !== undefined || [PDF, RTF, ZIP, OLE].some((mark) => start.startsWith(mark));
}

/** The longest `mimetype` in a packed document that is read, in bytes, packed and unpacked. */
const TYPE_BYTES = 200;

/**
 * Finds the format of a document by its content or, if the content is damaged, by its name. Undefined for any other file,
 * such as a text that begins like a PDF, but is not named like a document.
 */
export function documentFormat(data: Uint8Array, name: string): DocumentFormat | undefined {
  const start = asCharacters(data.subarray(0, PDF_BEGINS_WITHIN));
  const named = formatOfName(name);
  if (start.startsWith(PDF) || start.startsWith(RTF)) {
    if (named === undefined && isText(data)) return undefined;
    return start.startsWith(PDF) ? 'pdf' : 'rtf';
  }
  if (named === 'pdf' && start.includes(PDF)) return 'pdf';
  if (start.startsWith(OLE)) return 'ole';
  if (start.startsWith(ZIP)) return packedFormat(data) ?? named;
  // A file of this name that is text is what it is; anything else is a damaged document.
  return named !== undefined && (data.byteLength === 0 || start.includes('\0')) ? named : undefined;
}

/** The format of a ZIP file; undefined if it is not a document, or so damaged that its directory cannot be read. */
function packedFormat(data: Uint8Array): DocumentFormat | undefined {
  const names: string[] = [];
  let type = '';
  try {
    const unpacked = unzipSync(data, {
      filter({ name, size, originalSize }) {
        names.push(name);
        // A file may claim to unpack to less than it does; what is as short as this cannot become much.
        return name === 'mimetype' && size < TYPE_BYTES && originalSize < TYPE_BYTES;
      },
    });
    type = asCharacters(unpacked.mimetype ?? new Uint8Array()).trim();
  } catch {
    // Its name may still say what it was.
    return undefined;
  }
  if (type === 'application/epub+zip') return 'epub';
  const openDocument = /^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(type)?.[1];
  if (openDocument !== undefined) return OPEN_DOCUMENTS.get(openDocument);
  if (!names.includes('[Content_Types].xml')) return undefined;
  for (const [folder, format] of OFFICE_FOLDERS) if (names.some((name) => name.startsWith(folder))) return format;
  return undefined;
}

const OPEN_DOCUMENTS: ReadonlyMap<string, DocumentFormat> = new Map([
  ['text', 'odt'],
  ['spreadsheet', 'ods'],
  ['presentation', 'odp'],
]);

const OFFICE_FOLDERS: readonly (readonly [folder: string, format: DocumentFormat])[] = [
  ['word/', 'docx'],
  ['xl/', 'xlsx'],
  ['ppt/', 'pptx'],
];

const isText = (data: Uint8Array): boolean => decodeUtf8(data)?.includes('\0') === false;

const asCharacters = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

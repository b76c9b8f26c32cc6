/** The limits of reading one document, wherever it comes from. docs/LIMITS.md lists them. */
export const DOCUMENT_LIMITS = {
  /** A document file, in bytes. */
  bytes: 100_000_000,
  /** The entries of a packed document. */
  entries: 10_000,
  /** Everything that is unpacked of a document, in bytes. */
  unpackedBytes: 300_000_000,
  /** One packed file that is parsed as a whole, in bytes; a longer text is read without its layout. */
  wholeBytes: 20_000_000,
  /** The text of a document that is read at once, in characters; the rest is cut. */
  text: 1_000_000,
  /** The text of a document that goes with a message that it is attached to, in characters; the rest can be read later. */
  attachedText: 50_000,
  /** The parts of a document, such as pages, that are read at once. */
  parts: 300,
  /** The pieces of text of a PDF page that are put in order; the rest is left out. */
  pageItems: 50_000,
  /** The text of one cell of a sheet, in characters. */
  cell: 2_000,
  /** The columns of a sheet that are read. */
  columns: 200,
  /** The rows of a sheet, as in Excel and LibreOffice. */
  rows: 1_048_576,
  /** The times that a space of an OpenDocument file is repeated. */
  repeated: 100,
  /** One image inside a document that a model sees, in bytes: less than 5 MB in base64, as model servers take it. */
  imageBytes: 3_700_000,
  /** The picture of a PDF page's images, in pixels of its longer side: about as many as models see. */
  imageSide: 2_000,
  /** The images inside a document that are named. */
  imageNames: 30,
  /** The nesting of elements and groups, in levels. */
  depth: 500,
  /** One block of memory, in bytes: what is packed may become much larger than the file. */
  blockBytes: 67_108_864,
  /** The images of a PDF page that are drawn. */
  pageImages: 5_000,
  /** One block of memory for drawing a picture, in bytes. */
  pictureBlockBytes: 200_000_000,
  /** All blocks of memory of at least `smallBytes` that drawing one picture takes, in bytes. */
  pictureBytes: 600_000_000,
  /** The size of a block of memory that is not counted, in bytes. */
  smallBytes: 16_384,
  /** The time limit for reading a document, in milliseconds. */
  readMs: 20_000,
} as const;

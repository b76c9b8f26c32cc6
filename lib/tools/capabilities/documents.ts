import type { DocumentFormat } from '../documents/document-type.ts';

/** A request to read a document: a file, such as a PDF, whose text only a parser can read. */
export interface DocumentRequest {
  data: Uint8Array;
  format: DocumentFormat;
  /**
   * The parts to read: numbers and ranges, such as `3-7, 9`, or the name of a part, such as that of a sheet. All if it is
   * absent. With the name of an image inside the document, that image is returned instead of text.
   */
  pages?: string | undefined;
}

/** A part of a document: a page, a sheet, a slide, or a chapter, or all of it. */
export interface DocumentPart {
  /** The name of the part, such as `Page 3` or `Sheet 2: Prices`. */
  label: string;
  text: string;
}

/** An image inside a document. */
export interface DocumentImage {
  name: string;
  mediaType: string;
  data: Uint8Array;
}

/** The text of a document, part by part. */
export interface DocumentText {
  /** The kind of its parts. */
  unit: 'page' | 'sheet' | 'slide' | 'chapter' | 'cell' | 'text';
  /** The number of parts that the document has; more than `parts` if not all were read. */
  count: number;
  parts: readonly DocumentPart[];
  /** Sentences about what is missing, and how to get it. */
  notes: readonly string[];
  /** The image that was asked for; absent if none was. */
  image?: DocumentImage;
}

/** Reads documents such as PDFs, isolated from the code that asks for their text. */
export interface Documents {
  /**
   * Reads a document. Rejects with `DocumentFailure` if it cannot be read, for example because it is encrypted or damaged, or
   * if there are no such pages; with `ToolFailure` `timed-out` or `aborted`.
   */
  open(request: DocumentRequest, options: { abortSignal: AbortSignal }): Promise<DocumentText>;
}

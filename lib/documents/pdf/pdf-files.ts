/** The path at which the studio serves the files of PDF.js's package that some documents need (see `ReadPdfFile`). */
export const PDF_FILES = '/workers/pdf';

/** The folders of PDF.js's package with these files. */
export const PDF_FOLDERS = ['cmaps', 'wasm'] as const;

import { readFile } from 'node:fs/promises';
import type { ReadPdfFile } from '#lib/documents/pdf/pdf-js.ts';

/** Reads files of PDF.js: from its package, or from what a release serves to pages. */
export const readPdfFile: ReadPdfFile = async (name) => {
  const file =
    process.env.ROUNDTRIP_PACKED === undefined
      ? import.meta.resolve(`pdfjs-dist/${name}`)
      : new URL(`../../server/public/workers/pdf/${name}`, import.meta.url);
  return new Uint8Array(await readFile(new URL(file)));
};

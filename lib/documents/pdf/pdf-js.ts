import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** An open PDF. */
export type Pdf = PDFDocumentProxy;

/** A page of a PDF, as PDF.js gives it. */
export type Page = PDFPageProxy;

/**
 * Reads a file of PDF.js's package, such as `cmaps/UniGB-UCS2-H.bcmap`: the characters of East Asian fonts, and the code that
 * decodes CCITT, JBIG2, and JPEG 2000. Most documents need none. Rejects if it cannot be read.
 */
export type ReadPdfFile = (name: string) => Promise<Uint8Array>;

/** The folders of PDF.js's package, as PDF.js calls them. */
const FOLDERS: Readonly<Record<string, string>> = { cMapUrl: 'cmaps', wasmUrl: 'wasm' };

/** Loads PDF.js, which then works in this thread. */
export async function loadPdfJs(): Promise<typeof import('pdfjs-dist/legacy/build/pdf.mjs')> {
  // It only draws with them, which is never asked for. Without them, it writes warnings in Node.
  for (const name of ['DOMMatrix', 'Path2D']) if (!(name in globalThis)) Reflect.set(globalThis, name, class {});
  await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}

/**
 * Opens a PDF. Its scripts and actions do nothing, and nothing that it names is loaded. `onMissing`: called when a file of
 * PDF.js that it needs cannot be read. Rejects with PDF.js's errors.
 */
export async function openPdf(data: Uint8Array, readFile: ReadPdfFile, onMissing: () => void): Promise<Pdf> {
  const { getDocument } = await loadPdfJs();
  class BinaryDataFactory {
    async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      const folder = FOLDERS[kind];
      // Fonts are only for drawing text.
      if (folder === undefined || !/^[\w-]+\.(?:bcmap|wasm)$/.test(filename))
        throw new Error(`${filename} is not used.`);
      try {
        return await readFile(`${folder}/${filename}`);
      } catch (error) {
        onMissing();
        throw error;
      }
    }
  }
  return getDocument({
    data,
    verbosity: 0,
    BinaryDataFactory,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    // Without these two, images come as pixels, wherever this runs.
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
  }).promise;
}

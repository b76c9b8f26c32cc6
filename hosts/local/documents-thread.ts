// Reads documents, on a thread that can be ended at any time, whatever is in them.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { expose } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { createReader } from '#lib/documents/reader.ts';

const readPdfFile = async (name: string): Promise<Uint8Array> =>
  new Uint8Array(await readFile(fileURLToPath(import.meta.resolve(`pdfjs-dist/${name}`))));

if (parentPort !== null) expose(createReader(readPdfFile), nodeEndpoint(parentPort));

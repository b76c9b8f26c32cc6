// Reads documents, on a thread that can be ended at any time, whatever is in them.
import { parentPort } from 'node:worker_threads';
import { expose } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { createReader } from '#lib/documents/reader.ts';
import { readPdfFile } from './pdf-files.ts';

if (parentPort !== null) expose(createReader(readPdfFile), nodeEndpoint(parentPort));

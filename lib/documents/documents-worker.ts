import { expose } from 'comlink';
import { PDF_FILES } from './pdf/pdf-files.ts';
import { createReader } from './reader.ts';

async function readPdfFile(name: string): Promise<Uint8Array> {
  const response = await fetch(`${PDF_FILES}/${name}`);
  if (!response.ok) throw new Error(`The studio’s server has no ${name}.`);
  return new Uint8Array(await response.arrayBuffer());
}

// A worker for each document: whatever is in it, only this thread has to read it.
expose(createReader(readPdfFile));

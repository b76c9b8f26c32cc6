import { testDocuments } from '#lib/documents/test/contract.ts';
import { pageDocuments } from './page-documents.ts';

testDocuments(
  pageDocuments,
  async (name) => new Uint8Array(await (await fetch(`/lib/documents/test/fixtures/documents/${name}`)).arrayBuffer()),
);

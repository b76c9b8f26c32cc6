import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { testDocuments } from '#lib/documents/test/contract.ts';
import { localDocuments } from './local-documents.ts';

vi.setConfig({ testTimeout: 60_000 });

const FIXTURES = join(import.meta.dirname, '../../lib/documents/test/fixtures/documents');

testDocuments(localDocuments, async (name) => new Uint8Array(await readFile(join(FIXTURES, name))));

import { expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { limitedFiles } from './limited-files.ts';

test('a document may be larger than a file that is read as a whole', async () => {
  const files = new MemoryFileSystem();
  await files.transaction({ type: 'person' }, async (tx) => {
    tx.writeFile('/a.pdf', new Uint8Array(2_000));
    tx.writeFile('/a.txt', new Uint8Array(2_000));
  });
  const limited = limitedFiles(files, 1_000);
  expect((await limited.readFile('/a.pdf', { maxBytes: 5_000 })).byteLength).toBe(2_000);
  await expect(limited.readFile('/a.pdf', { maxBytes: 1_500 })).rejects.toMatchObject({ code: 'EFBIG' });
  await expect(limited.readFile('/a.txt', { maxBytes: 5_000 })).rejects.toMatchObject({ code: 'EFBIG' });
});

import { expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { bytesOf, fill } from '#lib/vfs/test/contract.ts';
import { countChanges } from './changed-lines.ts';

test('lines of texts are counted, and files that are something else', async () => {
  const files = new MemoryFileSystem();
  await fill(files, { '/a': 'one\ntwo\nthree\n', '/gone': 'x\ny\n', '/same': 's' });
  await files.transaction({ type: 'call', toolCallId: 'call' }, async (tx) => {
    tx.writeFile('/a', bytesOf('one\n2\n3\nthree\n'));
    tx.rm('/gone');
    tx.writeFile('/new/b', bytesOf('b'));
    tx.writeFile('/same', bytesOf('s'));
    tx.writeFile('/image.png', new Uint8Array([0, 255, 254]));
  });
  const changes = await files.history.changesBy(['call']);
  expect(await countChanges(changes, files.history)).toEqual({ files: 4, added: 3, removed: 3 });
});

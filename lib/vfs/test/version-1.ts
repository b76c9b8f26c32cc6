import { openDB } from 'idb';
import { INLINE_MAX_BYTES } from '../limits.ts';
import { bytesOf, PERSON } from './contract.ts';

/** Creates a workspace in the format of the studio's first version, with seven commits, and returns its tree. */
export async function makeVersion1(name: string): Promise<Record<string, string | null | { link: string }>> {
  const db = await openDB(name, 1, {
    upgrade(database) {
      for (const store of ['entries', 'contents', 'commits']) database.createObjectStore(store);
    },
  });
  const large = 'x'.repeat(INLINE_MAX_BYTES + 1);
  const entry = { mtimeMs: 1234, mode: 0o644, version: 3, size: 0 };
  const entries: Record<string, object> = {
    '/d': { ...entry, type: 'directory', mode: 0o755, version: 1 },
    '/d/f': { ...entry, type: 'file', size: 5, contentId: 'one' },
    '/d/copy': { ...entry, type: 'file', size: 5, contentId: 'one', version: 4 },
    '/d/empty': { ...entry, type: 'file', contentId: 'none' },
    '/big': { ...entry, type: 'file', size: large.length, contentId: 'two', mode: 0o755 },
    '/link': { ...entry, type: 'symlink', size: 3, target: 'd/f' },
  };
  for (const [path, value] of Object.entries(entries)) await db.put('entries', value, path);
  await db.put('contents', bytesOf('hello'), 'one');
  await db.put('contents', bytesOf(large), 'two');
  await db.put('contents', new Uint8Array(), 'none');
  await db.put('commits', { author: PERSON, changes: [] }, 7);
  db.close();
  return {
    '/big': large,
    '/d': null,
    '/d/copy': 'hello',
    '/d/empty': '',
    '/d/f': 'hello',
    '/link': { link: 'd/f' },
  };
}

import { openDB } from 'idb';
import { bytesOf, PERSON } from './contract.ts';

const FILES = 70;

/** Rows of nodes in the format of version 3. */
function columnsOf(
  rows: readonly {
    id: number;
    parent: number;
    type: number;
    name: string;
    size: number;
    mode: number;
    version: number;
    blob: number;
  }[],
) {
  return {
    ids: Float64Array.from(rows, ({ id }) => id),
    parents: Float64Array.from(rows, ({ parent }) => parent),
    types: Uint8Array.from(rows, ({ type }) => type),
    sizes: Float64Array.from(rows, ({ size }) => size),
    mtimes: new Float64Array(rows.length).fill(1234.5),
    modes: Uint16Array.from(rows, ({ mode }) => mode),
    versions: Float64Array.from(rows, ({ version }) => version),
    blobs: Float64Array.from(rows, ({ blob }) => blob),
    names: rows.map(({ name }) => name).join('\0'),
    targets: rows.filter(({ type }) => type === 2).map(() => 'd/f0'),
  };
}

/**
 * Creates a workspace in the format of database version 3: a snapshot with a folder, a link and many files of 6 bytes,
 * whose contents are in one pack, and a later commit that changed the files' modes. Returns its tree.
 */
export async function makeVersion3(name: string): Promise<Record<string, string | null | { link: string }>> {
  const db = await openDB(name, 3, {
    upgrade(database) {
      database.createObjectStore('log').createIndex('toolCallId', 'author.toolCallId');
      for (const store of ['blobs', 'snapshot', 'head']) database.createObjectStore(store);
    },
  });
  const first = 2 ** 21 + 1;
  const texts = Array.from({ length: FILES }, (_, index) => `text${String(index).padStart(2, '0')}`);
  const file = { parent: first, type: 0, size: 6, mode: 0o644, version: 1 };
  const files = texts.map((_, index) => ({
    ...file,
    id: first + 2 + 2 * index,
    name: `f${index}`,
    blob: first + 3 + 2 * index,
  }));
  const folder = { id: first, parent: 0, type: 1, name: 'd', size: 0, mode: 0o755, version: 1, blob: 0 };
  const link = { ...folder, id: first + 1, type: 2, name: 'link', size: 4, mode: 0o777 };
  const pack = -1;
  const packs = {
    blobs: Float64Array.from(files, ({ blob }) => blob),
    packs: new Float64Array(FILES).fill(pack),
    offsets: Uint32Array.from(files, (_, index) => index * 6),
  };
  const after = files.map((one) => ({ ...one, mode: 0o755 }));
  const ids = Float64Array.from(files, ({ id }) => id);
  await db.put('snapshot', { ...columnsOf([folder, link, ...files]), sequence: 1, packs }, 0);
  await db.put('head', { snapshot: 1, floor: 1, packs: 1 }, 0);
  await db.put('blobs', bytesOf(texts.join('')), pack);
  await db.put(
    'log',
    { author: PERSON, time: 1, changes: [], bulk: { ids, before: columnsOf(files), after: columnsOf(after) } },
    2,
  );
  db.close();
  const entries = texts.map((text, index): [string, string] => [`/d/f${index}`, text]);
  return { '/d': null, '/link': { link: 'd/f0' }, ...Object.fromEntries(entries) };
}

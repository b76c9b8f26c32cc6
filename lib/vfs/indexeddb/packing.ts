import { PACK_MAX_BYTES } from '../limits.ts';
import type { BlobId } from '../node-tree.ts';
import type { PackPlace } from '../snapshot.ts';

/** Packs (bytes of several file contents, one after the other), and the location of each content in them. */
export interface Packing {
  packs: [id: number, data: Uint8Array][];
  places: Map<BlobId, PackPlace>;
}

/**
 * Concatenates file contents, in order, into packs of at most `PACK_MAX_BYTES`. No content may be larger than that. `newId`:
 * returns the id for the next pack.
 */
export function packContents(contents: Iterable<[BlobId, Uint8Array]>, newId: () => number): Packing {
  const packs: Packing['packs'] = [];
  const places: Packing['places'] = new Map();
  let open: [BlobId, Uint8Array][] = [];
  let length = 0;
  const close = () => {
    if (open.length === 0) return;
    const id = newId();
    const data = new Uint8Array(length);
    let offset = 0;
    for (const [blob, content] of open) {
      data.set(content, offset);
      places.set(blob, { pack: id, offset });
      offset += content.byteLength;
    }
    packs.push([id, data]);
    open = [];
    length = 0;
  };
  for (const [blob, content] of contents) {
    if (length + content.byteLength > PACK_MAX_BYTES) close();
    open.push([blob, content]);
    length += content.byteLength;
  }
  close();
  return { packs, places };
}

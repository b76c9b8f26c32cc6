import type { PackedDocument } from '../zip/packed-document.ts';
import { readXml } from './read-xml.ts';

/** A relation of a part of an Office document to another part. */
export interface Relation {
  /** The end of the relation's type, such as `slide`. */
  type: string;
  /** The path of the other part in the package. */
  path: string;
}

/** The relations of a part of an Office document to other parts of it, by id. External ones are left out. */
export function relationsOf(packed: PackedDocument, part: string): ReadonlyMap<string, Relation> {
  const relations = new Map<string, Relation>();
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const file = `${folder}_rels/${part.slice(folder.length)}.rels`;
  if (!packed.has(file)) return relations;
  readXml(packed, file, {
    open(name, { Id: id, Type: type = '', Target: target, TargetMode: mode }) {
      if (name !== 'Relationship' || id === undefined || target === undefined || mode === 'External') return;
      relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), path: pathFrom(folder, target) });
    },
  });
  return relations;
}

/** Resolves a path that is relative to a folder of a package; it never leads out of it. */
export function pathFrom(folder: string, target: string): string {
  const parts = target.startsWith('/') ? [] : folder.split('/').filter((part) => part !== '');
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

import type { PackedDocument } from '../zip/packed-document.ts';
import { readXml } from './read-xml.ts';

/** A relation of a part (a file in the package) of an Office document to another part. */
export interface Relation {
  /** The end of the relation's type, such as `slide`. */
  type: string;
  /** The path of the other part in the package. */
  path: string;
}

/**
 * Returns the relations of a part of an Office document to its other parts, by id. `part`: its path in the package; empty
 * for the package itself. External relations are left out.
 */
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

/**
 * Returns the path of another file of a package, without a leading slash. `target`: the path as a file in `folder` names it; if
 * it begins with a slash, it is relative to the package's root. The result never leads out of the package.
 */
export function pathFrom(folder: string, target: string): string {
  const parts = target.startsWith('/') ? [] : folder.split('/').filter((part) => part !== '');
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

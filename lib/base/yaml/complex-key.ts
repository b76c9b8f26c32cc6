import { type Document, isCollection, isNode, visit } from 'yaml';

/**
 * The offset of a key that is a list or a mapping itself; undefined if there is none. Such keys have to be written as text
 * before a document becomes plain data. If they are nested, that takes longer than anybody would wait.
 */
export function complexKeyIn(document: Document.Parsed): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Pair(_, { key }) {
      if (!isCollection(key)) return undefined;
      offset = (isNode(key) ? key.range?.[0] : undefined) ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

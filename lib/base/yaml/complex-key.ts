import { type Document, isCollection, isNode, visit } from 'yaml';

/**
 * The offset in the source of the first key that is itself a list or a mapping; undefined if there is none. Such a document
 * must be refused before it is converted to plain data: the library writes these keys as text, which takes longer than anybody
 * would wait if they are nested.
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

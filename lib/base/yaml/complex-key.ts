import { type Document, isCollection, isNode, visit } from 'yaml';

/**
 * The offset in the source of the first key that is itself a list or a mapping; undefined if there is none. To convert a
 * document to plain data, the library writes such keys as text. If they are nested, that takes longer than anybody would wait.
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

import type { TokenNode } from 'react-diff-view';
import type { Token } from '#components/markdown/code-tokens.ts';
import { splitLines } from '#lib/workspace/review/hunks.ts';

/** Converts a text and the known tokens of its lines to the nodes that `react-diff-view` renders. */
export function highlightedTree(text: string, tokens: readonly (readonly Token[])[]): TokenNode[] {
  return splitLines(text).flatMap((line, index): TokenNode[] => {
    let at = 0;
    const colored = (tokens[index] ?? []).map(({ length, style }): TokenNode => {
      const value = line.slice(at, at + length);
      at += length;
      return { type: 'element', properties: { style }, children: [{ type: 'text', value }] };
    });
    return [...colored, { type: 'text', value: line.slice(at) }];
  });
}

import { createContext, memo, type ReactNode, useContext, useMemo } from 'react';
import type { Part } from './block.ts';
import { BlockBoundary } from './block-boundary.tsx';
import { type References, referencesOf } from './definitions.ts';
import { ParsedMarkdown } from './parsed-markdown.tsx';
import { PlainText } from './plain-text.tsx';
import { simpleSource } from './simple-source.ts';
import type { Shape } from './tree-shapes.ts';

/** The definitions of links and footnotes to which the parts of the surrounding text can refer. */
export const ReferencesContext = createContext<References>({ definitions: new Map(), footnotes: [] });

/** The most columns that a table cell can span, according to HTML. */
const COLUMNS_MAX = 1_000;

/**
 * Renders a part of Markdown; as plain text if it is too complex to be parsed, or cannot be rendered. `shape`: the role of
 * the part, such as rows of a table, which are rendered without a table around them.
 */
export const MarkdownPart = memo(function MarkdownPart({ part, shape }: { part: Part; shape: Shape }) {
  const all = useContext(ReferencesContext);
  const { source } = part;
  const simple = useMemo(() => simpleSource(part), [part]);
  const references = useMemo(() => {
    // The footnotes' own text contains their definitions.
    const known = shape === 'footnotes' ? { ...all, footnotes: [] } : all;
    return simple === undefined ? '' : referencesOf(simple, known);
  }, [simple, all, shape]);
  const plain = inShape(shape, <PlainText text={source} />);
  if (simple === undefined) return plain;
  return (
    <BlockBoundary source={source} fallback={plain}>
      <ParsedMarkdown source={simple} references={references} shape={shape} />
    </BlockBoundary>
  );
});

/** Wraps plain text in the elements that are required where the part stands, such as a row of a table. */
function inShape(shape: Shape, text: ReactNode): ReactNode {
  switch (shape) {
    case 'items':
    case 'loose-items':
      return <li>{text}</li>;
    case 'table':
    case 'rows':
      return (
        <tbody>
          <tr>
            <td colSpan={COLUMNS_MAX}>{text}</td>
          </tr>
        </tbody>
      );
    default:
      return text;
  }
}

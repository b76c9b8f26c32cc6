import { createContext, memo, type ReactNode, useContext, useMemo } from 'react';
import type { Part } from './block.ts';
import { BlockBoundary } from './block-boundary.tsx';
import { type References, referencesOf } from './definitions.ts';
import { ParsedMarkdown } from './parsed-markdown.tsx';
import { PlainText } from './plain-text.tsx';
import { simpleSource } from './simple-source.ts';
import type { Shape } from './tree-shapes.ts';

/** The definitions that the blocks of the text can refer to. */
export const ReferencesContext = createContext<References>({ definitions: new Map(), footnotes: [] });

/** Rows of a table span no more columns than this. */
const COLUMNS_MAX = 1_000;

/** A part of the text; as plain text if it is too complex to be parsed, or cannot be rendered. */
export const MarkdownPart = memo(function MarkdownPart({ part, shape }: { part: Part; shape: Shape }) {
  const all = useContext(ReferencesContext);
  const { source } = part;
  const simple = useMemo(() => simpleSource(part), [part]);
  const references = useMemo(() => {
    // The text of the footnotes defines them itself.
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

/** Wraps a text in the elements that are allowed where the part stands. */
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

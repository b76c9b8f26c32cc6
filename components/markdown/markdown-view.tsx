'use client';

// Formulas need it. Loaded with the first of them, it would make the browser compute all styles of the page again.
import 'katex/dist/katex.min.css';

import { useContext, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { BlockGroup } from './block-group.tsx';
import { BlockSplitter } from './block-splitter.ts';
import { footnotesText, type References, withReferences } from './definitions.ts';
import { InnerMarkdown } from './details-box.tsx';
import { prepareHighlighting } from './highlight-client.ts';
import { MARKDOWN_LIMITS } from './limits.ts';
import { MarkdownPart, ReferencesContext } from './markdown-part.tsx';
import { WritingContext } from './writing.ts';

interface MarkdownViewProps {
  text: string;
  name: string;
  streaming: boolean;
}

/** Renders Markdown that grows. The text is split into blocks, of which only the last one is parsed again with each chunk. */
export default function MarkdownView({ text, name, streaming }: MarkdownViewProps) {
  const [splitter] = useState(() => new BlockSplitter());
  const [wasWritten] = useState(streaming);
  // The splitter only remembers what it has read: the same text always gives the same blocks.
  const { groups, references: newest } = useMemo(() => splitter.update(text, !streaming), [splitter, text, streaming]);
  // A new definition may change every block, which may take longer than the next chunk.
  const own = useDeferredValue(newest);
  // The text of a `details` element can use what is defined around it, and the text around lists its footnotes.
  const isInner = useContext(InnerMarkdown) !== undefined;
  const around = useContext(ReferencesContext);
  const references = useMemo(() => (isInner ? withReferences(around, own) : own), [isInner, around, own]);
  useEffect(prepareHighlighting, []);
  return (
    <InnerMarkdown value={MarkdownView}>
      <ReferencesContext value={references}>
        {groups.map((blocks, index) => (
          <BlockGroup
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end
            key={index}
            blocks={blocks}
            name={`${name}/${index}`}
            streaming={streaming && index === groups.length - 1}
            atOnce={index < MARKDOWN_LIMITS.groupsAtOnce || index === groups.length - 1}
            isLast={index === groups.length - 1}
            wasWritten={wasWritten}
          />
        ))}
        {references.footnotes.length > 0 && !isInner ? (
          <WritingContext value={streaming}>
            <Footnotes references={references} />
          </WritingContext>
        ) : null}
      </ReferencesContext>
    </InnerMarkdown>
  );
}

function Footnotes({ references: { footnotes } }: { references: References }) {
  const source = useMemo(() => footnotesText(footnotes), [footnotes]);
  const part = useMemo(
    () => ({ source, depth: 1, prose: source.length, marks: footnotes.length }),
    [source, footnotes],
  );
  return <MarkdownPart part={part} shape="footnotes" />;
}

import { memo, useMemo } from 'react';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { markdownText } from '#lib/threads/find/markdown-text.ts';
import type { Block, FenceBlock, ListBlock, Part } from './block.ts';
import { BlockBoundary } from './block-boundary.tsx';
import { DetailsBox } from './details-box.tsx';
import { fencedCode } from './fence.ts';
import { FencedCode } from './fenced-code.tsx';
import { MARKDOWN_LIMITS } from './limits.ts';
import { MarkdownPart } from './markdown-part.tsx';
import { PlainText } from './plain-text.tsx';
import { ShowAll } from './show-all.tsx';
import { TableView } from './table-view.tsx';
import { useDirection } from './use-direction.ts';
import { BlockNameContext, useShown } from './use-shown.ts';

const { listPartsShown, partsPerStep } = MARKDOWN_LIMITS;

interface BlockViewProps {
  block: Block;
  /** A name that the block keeps, for its kept state and the search. */
  name: string;
  /** Whether the block is still being written. */
  streaming: boolean;
}

/**
 * Renders an outermost block of Markdown by its type. Renders nothing for a footnote, because footnotes are shown at the end of the
 * text.
 */
export const BlockView = memo(function BlockView({ block, name, streaming }: BlockViewProps) {
  return (
    <BlockNameContext value={name}>
      <Shape block={block} streaming={streaming} />
    </BlockNameContext>
  );
});

function Shape({ block, streaming }: Omit<BlockViewProps, 'name'>) {
  switch (block.type) {
    case 'text':
      return <MarkdownPart part={block} shape="text" />;
    case 'fence':
      return <Fence block={block} streaming={streaming} />;
    case 'table':
      return <TableView block={block} />;
    case 'list':
      return <List block={block} />;
    case 'details':
      return <DetailsBox source={block.source} streaming={streaming} />;
    case 'footnote':
      // Footnotes are shown at the end of the text.
      return null;
  }
}

function Fence({ block: { source }, streaming }: { block: FenceBlock; streaming: boolean }) {
  const { code, language } = useMemo(() => fencedCode(source), [source]);
  return (
    <BlockBoundary source={source} fallback={<PlainText text={source} />}>
      <FencedCode code={code} language={language} streaming={streaming} />
    </BlockBoundary>
  );
}

function List({ block: { parts, items, isLoose } }: { block: ListBlock }) {
  const texts = useMarkdownTexts();
  const { shown, isCut, showAll, box, isPartial, rest } = useShown<HTMLUListElement & HTMLOListElement>({
    name: 'list',
    total: parts.length,
    initial: listPartsShown,
    step: partsPerStep,
    textAfter: (count) => parts.slice(count).map(readable).join('\n'),
  });
  const dir = useDirection(parts);
  const number = /^\s*(\d+)[.)]/.exec(parts[0]?.source ?? '')?.[1];
  const first = number === undefined ? undefined : Number(number);
  const views = parts.slice(0, shown).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a list grows only at its end
    <MarkdownPart key={index} part={part} shape={isLoose ? 'loose-items' : 'items'} />
  ));
  return (
    <>
      {first === undefined ? (
        <ul {...box} dir={dir}>
          {views}
        </ul>
      ) : (
        <ol {...box} dir={dir} start={first === 1 ? undefined : first}>
          {views}
        </ol>
      )}
      {isPartial ? <div ref={rest} /> : null}
      {isCut ? <ShowAll onClick={showAll}>{texts.allItems(items)}</ShowAll> : null}
    </>
  );
}

const readable = ({ source }: Part): string => markdownText(source);

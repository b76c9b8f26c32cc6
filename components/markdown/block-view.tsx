import { memo, useMemo } from 'react';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { Button } from '#components/ui/button.tsx';
import type { Block, FenceBlock, ListBlock, TableBlock } from './block.ts';
import { BlockBoundary } from './block-boundary.tsx';
import { CodeBlock } from './code-block.tsx';
import { fencedCode } from './fence.ts';
import { MARKDOWN_LIMITS } from './limits.ts';
import { MarkdownPart } from './markdown-part.tsx';
import { PlainText } from './plain-text.tsx';
import { useShown } from './use-shown.ts';

const { listPartsShown, tablePartsShown, partsPerStep } = MARKDOWN_LIMITS;

/** A block of an answer. */
export const BlockView = memo(function BlockView({ block }: { block: Block }) {
  switch (block.type) {
    case 'text':
      return <MarkdownPart part={block} shape="text" />;
    case 'fence':
      return <Fence block={block} />;
    case 'table':
      return <Table block={block} />;
    case 'list':
      return <List block={block} />;
    case 'footnote':
      // Shown at the end of the text.
      return null;
  }
});

function Fence({ block: { source } }: { block: FenceBlock }) {
  const { code, language } = useMemo(() => fencedCode(source), [source]);
  return (
    <BlockBoundary source={source} fallback={<PlainText text={source} />}>
      <CodeBlock code={code} language={language} />
    </BlockBoundary>
  );
}

function List({ block: { parts, items, isLoose } }: { block: ListBlock }) {
  const texts = useMarkdownTexts();
  const { shown, isCut, showAll } = useShown(parts.length, listPartsShown, partsPerStep);
  const number = /^\s*(\d+)[.)]/.exec(parts[0]?.source ?? '')?.[1];
  const first = number === undefined ? undefined : Number(number);
  const views = parts.slice(0, shown).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a list grows only at its end
    <MarkdownPart key={index} part={part} shape={isLoose ? 'loose-items' : 'items'} />
  ));
  return (
    <>
      {first === undefined ? <ul>{views}</ul> : <ol start={first === 1 ? undefined : first}>{views}</ol>}
      {isCut ? <Button onClick={showAll}>{texts.allItems(items)}</Button> : null}
    </>
  );
}

function Table({ block: { parts, rows } }: { block: TableBlock }) {
  const texts = useMarkdownTexts();
  const { shown, isCut, showAll } = useShown(parts.length, tablePartsShown, partsPerStep);
  return (
    <>
      <div className="my-2 overflow-x-auto">
        <table>
          {parts.slice(0, shown).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a table grows only at its end
            <MarkdownPart key={index} part={part} shape={index === 0 ? 'table' : 'rows'} />
          ))}
        </table>
      </div>
      {isCut ? <Button onClick={showAll}>{texts.allRows(rows)}</Button> : null}
    </>
  );
}

import { memo, useMemo } from 'react';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { markdownText } from '#lib/threads/find/markdown-text.ts';
import type { Block, FenceBlock, ListBlock, Part, TableBlock } from './block.ts';
import { BlockBoundary } from './block-boundary.tsx';
import { DetailsBox } from './details-box.tsx';
import { directionOf, hasRightToLeft } from './direction.ts';
import { fencedCode } from './fence.ts';
import { FencedCode } from './fenced-code.tsx';
import { MARKDOWN_LIMITS } from './limits.ts';
import { MarkdownPart } from './markdown-part.tsx';
import { PlainText } from './plain-text.tsx';
import { ShowAll } from './show-all.tsx';
import { TableActions } from './table-actions.tsx';
import { BlockNameContext, useShown } from './use-shown.ts';

const { listPartsShown, tablePartsShown, partsPerStep } = MARKDOWN_LIMITS;

interface BlockViewProps {
  block: Block;
  /** A name that the block keeps, for its kept state and the search. */
  name: string;
  /** Whether the block is still being written. */
  streaming: boolean;
}

/** A block of an answer. */
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
      return <Table block={block} />;
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

function Table({ block: { parts, rows } }: { block: TableBlock }) {
  const texts = useMarkdownTexts();
  const { shown, isCut, showAll, box, isPartial, rest } = useShown<HTMLDivElement>({
    name: 'table',
    total: parts.length,
    initial: tablePartsShown,
    step: partsPerStep,
    textAfter: (count) => parts.slice(count).map(readableRows).join('\n'),
  });
  const dir = useDirection(parts);
  return (
    <>
      <div className="group/table relative my-2">
        <div {...box} dir={dir} className="overflow-x-auto">
          <table>
            {parts.slice(0, shown).map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a table grows only at its end
              <MarkdownPart key={index} part={part} shape={index === 0 ? 'table' : 'rows'} />
            ))}
          </table>
        </div>
        <TableActions source={() => tableSource(parts)} />
      </div>
      {isPartial ? <div ref={rest} /> : null}
      {isCut ? <ShowAll onClick={showAll}>{texts.allRows(rows)}</ShowAll> : null}
    </>
  );
}

/** The direction of a list or table, by its first part; undefined if nothing in it is written from right to left. */
function useDirection([first]: readonly Part[]): 'ltr' | 'rtl' | undefined {
  const source = first?.source ?? '';
  return useMemo(() => (hasRightToLeft(source) ? directionOf(source) : undefined), [source]);
}

const readable = ({ source }: Part): string => markdownText(source);

/** The Markdown of a whole table: the first part, and the rows of the others. */
const tableSource = ([first, ...others]: readonly Part[]): string =>
  [first?.source ?? '', ...others.map(({ source }) => source.split('\n').slice(2).join('\n'))]
    .map((source) => source.trimEnd())
    .join('\n');

/** The rows of a part, without the head that it repeats. */
function readableRows({ source }: Part): string {
  const head = source.split('\n', 2).join('\n');
  return markdownText(source).slice(markdownText(head).length + 1);
}

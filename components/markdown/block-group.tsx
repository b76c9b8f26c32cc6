import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';
import { registerHiddenText } from '#components/ui/windowed-text.ts';
import { markdownText } from '#lib/threads/find/markdown-text.ts';
import type { Block } from './block.ts';
import { BlockView } from './block-view.tsx';
import { MARKDOWN_LIMITS } from './limits.ts';
import { WritingContext } from './writing.ts';

/** The distance from the viewport within which blocks are rendered. */
const NEAR = '1500px';

/** About how many characters fit into a line. */
const LINE_CHARACTERS = 80;
/** The height of a line, in CSS pixels. */
const LINE_HEIGHT = 24;

interface BlockGroupProps {
  blocks: readonly Block[];
  name: string;
  /** Whether the last block is being written. */
  streaming: boolean;
  /** Whether the blocks are rendered even far from the viewport. */
  atOnce: boolean;
  isLast: boolean;
  /** Whether the text was written while it was shown. */
  wasWritten: boolean;
}

/**
 * Blocks that are rendered together: at once (`atOnce`), or when they come near the screen. Until then, they are plain text.
 */
export const BlockGroup = memo(function BlockGroup(props: BlockGroupProps) {
  const { blocks, name, streaming, atOnce, isLast, wasWritten } = props;
  const [isRendered, setRendered] = useState(atOnce);
  if (atOnce && !isRendered) setRendered(true);
  const isPrinting = useIsPrinting();
  const { box, isSkipped } = useSkipped(wasWritten && !isLast && isRendered);
  if (!isRendered && !isPrinting) return <Unrendered blocks={blocks} name={name} onNear={() => setRendered(true)} />;
  // Blocks of earlier groups are complete, and need not be rendered again once all of the text is.
  return (
    <WritingContext value={streaming}>
      <div
        ref={box}
        className={`blocks [contain-intrinsic-size:auto_1200px] ${isSkipped && !isPrinting ? '[content-visibility:auto]' : ''}`}
      >
        {blocks.map((block, index) => (
          <BlockView
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end
            key={index}
            block={block}
            name={`${name}/${index}`}
            streaming={streaming && index === blocks.length - 1}
          />
        ))}
      </div>
    </WritingContext>
  );
});

/**
 * Tells whether the browser may skip the layout of an element, of which it remembers how tall it was. That begins far from the
 * screen, because an element that has just grown is remembered as it was before. `mayBe`: whether it has been written here, and
 * is complete.
 */
function useSkipped(mayBe: boolean): { box: RefObject<HTMLDivElement | null>; isSkipped: boolean } {
  const box = useRef<HTMLDivElement>(null);
  const [isSkipped, setSkipped] = useState(false);
  useEffect(() => {
    if (!mayBe || isSkipped || box.current === null) return;
    const observer = nearObserver((isNear) => !isNear && setSkipped(true));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [mayBe, isSkipped]);
  return { box, isSkipped };
}

/** Observes whether an element is near the screen. */
function nearObserver(onChange: (isNear: boolean) => void): IntersectionObserver {
  const options: IntersectionObserverInit & { scrollMargin: string } = { rootMargin: NEAR, scrollMargin: NEAR };
  return new IntersectionObserver((entries) => {
    const latest = entries.at(-1);
    if (latest !== undefined) onChange(latest.isIntersecting);
  }, options);
}

/** The beginnings of blocks as plain text, without layout. Calls `onNear` when they come near, or a search leads there. */
function Unrendered({ blocks, name, onNear }: Pick<BlockGroupProps, 'blocks' | 'name'> & { onNear(): void }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback only sets a state
  useEffect(() => {
    if (box.current === null) return;
    const observer = nearObserver((isNear) => isNear && onNear());
    observer.observe(box.current);
    let readable: string | undefined;
    const unregister = registerHiddenText(box.current, {
      text() {
        readable ??= blocks.map((block) => markdownText(sourceOf(block))).join('\n');
        return readable;
      },
      show: onNear,
    });
    return () => {
      observer.disconnect();
      unregister();
    };
  }, []);
  const text = blocks.map(beginning).join('\n');
  const lines = text.split('\n').reduce((sum, line) => sum + Math.ceil((line.length + 1) / LINE_CHARACTERS), 0);
  return (
    <div
      ref={box}
      data-group={name}
      className="my-block whitespace-pre-wrap [content-visibility:auto]"
      style={{ containIntrinsicSize: `auto ${lines * LINE_HEIGHT}px` }}
    >
      {text}
    </div>
  );
}

function beginning(block: Block): string {
  const source = 'parts' in block ? (block.parts[0]?.source ?? '') : block.source;
  return source.slice(0, MARKDOWN_LIMITS.groupCharacters);
}

const sourceOf = (block: Block): string =>
  'parts' in block ? block.parts.map(({ source }) => source).join('\n') : block.source;

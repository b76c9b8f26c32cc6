import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';
import { registerWindowedText } from '#components/ui/windowed-text.ts';
import { CodeLine } from './code-line.tsx';
import type { CodeLines } from './code-lines.ts';
import type { Token } from './code-tokens.ts';

/** In pixels, as the classes say. */
const LINE_HEIGHT = 20;
const OVERSCAN = 30;

interface WindowedCodeProps {
  lines: CodeLines;
  tokens: readonly Token[][];
  /** What scrolls. */
  box: RefObject<HTMLElement | null>;
}

/** The lines of long code that are near what is seen of it. As wide and as tall as all of them. */
export function WindowedCode({ lines, tokens, box }: WindowedCodeProps) {
  const virtualizer = useVirtualizer({
    count: lines.count,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const code = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = code.current;
    if (element === null) return;
    return registerWindowedText(element, {
      text: () => lines.code,
      positionOf: (offset) => lines.positionOf(offset),
      lineAt(index) {
        const range = virtualizer.getVirtualIndexes();
        const isThere = index >= (range[0] ?? 0) && index <= (range.at(-1) ?? -1);
        return isThere ? element.querySelector(`[data-line="${index}"]`) : null;
      },
      showLine: (index) => virtualizer.scrollToIndex(index, { align: 'center' }),
    });
  }, [lines, virtualizer]);
  return (
    <code
      ref={code}
      className="block"
      style={{
        height: virtualizer.getTotalSize(),
        minWidth: `${lines.columns}ch`,
        paddingTop: items[0]?.start ?? 0,
      }}
    >
      {items.map(({ index }) => (
        <CodeLine key={index} line={index} className="block h-[20px]" text={lines.at(index)} tokens={tokens[index]} />
      ))}
    </code>
  );
}

import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
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
  /** The element that scrolls; null before it is in the document. */
  scroller: HTMLElement | null;
}

/** The lines of long code that are near what is seen of it. As wide and as tall as all of them. */
export function WindowedCode({ lines, tokens, scroller }: WindowedCodeProps) {
  const code = useRef<HTMLElement>(null);
  const selected = useSelectedLines(code);
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([...defaultRangeExtractor(range), ...selected])].sort((a, b) => a - b),
    [selected],
  );
  const virtualizer = useVirtualizer({
    count: lines.count,
    getScrollElement: () => scroller,
    estimateSize: () => LINE_HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor,
  });
  const items = virtualizer.getVirtualItems();
  useEffect(() => {
    const element = code.current;
    if (element === null) return;
    return registerWindowedText(element, {
      text: () => lines.code,
      positionOf: (offset) => lines.positionOf(offset),
      offsetOf: (line, column) => lines.offsetOf(line, column),
      lineAt: (index) => element.querySelector(`[data-line="${index}"]`),
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
      }}
    >
      {items.map(({ index, start }, position) => (
        <CodeLine
          key={index}
          line={index}
          className="block h-[20px]"
          gap={start - (items[position - 1]?.end ?? 0)}
          text={lines.at(index)}
          tokens={tokens[index]}
        />
      ))}
    </code>
  );
}

const NO_LINES: readonly number[] = [];

/** The lines at the two ends of the selection, which must stay in the document for it to last. */
function useSelectedLines(code: RefObject<HTMLElement | null>): readonly number[] {
  const [selected, setSelected] = useState(NO_LINES);
  useEffect(() => {
    const lineOf = (node: Node | null): number[] => {
      const line = code.current?.contains(node) ? node?.parentElement?.closest<HTMLElement>('[data-line]') : undefined;
      return line ? [Number(line.dataset.line)] : [];
    };
    const look = () => {
      const selection = getSelection();
      const isNone = selection === null || selection.isCollapsed;
      const next = isNone ? NO_LINES : [...lineOf(selection.anchorNode), ...lineOf(selection.focusNode)];
      setSelected((known) => (known.join() === next.join() ? known : next));
    };
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, [code]);
  return selected;
}

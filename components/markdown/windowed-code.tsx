import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { registerWindowedText } from '#components/ui/windowed-text.ts';
import { CodeLine } from './code-line.tsx';
import type { CodeLines } from './code-lines.ts';
import type { Token } from './code-tokens.ts';

/** The height of a line in CSS pixels, as the classes set it. */
const LINE_HEIGHT = 20;
const OVERSCAN = 30;

interface WindowedCodeProps {
  lines: CodeLines;
  tokens: readonly Token[][];
  /** The element that scrolls; null before it is in the document. */
  scroller: HTMLElement | null;
}

/** Renders only the lines of long code near its visible part, in an element as wide and as tall as all lines. */
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

/** Returns the indexes of the lines at the ends of the selection, which lasts only while they are in the document. */
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

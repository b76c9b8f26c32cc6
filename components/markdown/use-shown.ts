import { createContext, type RefObject, startTransition, useContext, useEffect, useRef, useState } from 'react';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';
import { registerHiddenText } from '#components/ui/windowed-text.ts';

/** Names a block of an answer: the same whenever the block is in the document. */
export const BlockNameContext = createContext('');

interface ShownOptions {
  /** Tells the things apart from others in the same block. */
  name: string;
  total: number;
  /** The number of things that are shown at first, and the number that are added at a time. */
  initial: number;
  step: number;
  /** The text of those after the first `shown` ones. */
  textAfter(shown: number): string;
}

interface Shown<T extends HTMLElement> {
  /** The number of things that are shown. */
  shown: number;
  /** Whether the others are shown only on request. */
  isCut: boolean;
  showAll(): void;
  /** Of the element that contains them, which can have the focus if some were not shown at first. */
  box: { ref: RefObject<T | null>; tabIndex?: -1 };
  /** Whether some are not shown yet. The element `rest` stands for them then. */
  isPartial: boolean;
  rest: RefObject<HTMLDivElement | null>;
}

/** Limits how many things are shown. All of them are shown step by step, so that the page stays responsive. */
export function useShown<T extends HTMLElement>({ name, total, initial, step, textAfter }: ShownOptions): Shown<T> {
  const [limit, setLimit] = useState(initial);
  const [isAll, setAll] = useKeptState(`all/${useContext(BlockNameContext)}/${name}`, false);
  const ref = useRef<T>(null);
  const isGrowing = isAll && limit < total;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step follows the one before
  useEffect(() => {
    if (isGrowing) startTransition(() => setLimit((current) => current + step));
  }, [isGrowing, limit, step]);
  const isWhole = useIsPrinting() || limit >= total;
  const showAll = () => {
    // The button disappears, and would take the focus with it.
    ref.current?.focus({ preventScroll: true });
    setAll(true);
  };
  const shown = isWhole ? total : limit;
  const rest = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (rest.current === null) return;
    let text: string | undefined;
    return registerHiddenText(rest.current, {
      text() {
        text ??= textAfter(shown);
        return text;
      },
      show: () => setAll(true),
    });
  });
  return {
    shown,
    isCut: !isWhole && !isAll,
    showAll,
    box: { ref, ...(total > initial && { tabIndex: -1 }) },
    isPartial: !isWhole,
    rest,
  };
}

import { createContext, type RefObject, startTransition, useContext, useEffect, useRef, useState } from 'react';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';
import { registerHiddenText } from '#components/ui/windowed-text.ts';

/** The name of the surrounding block of an answer, under which its state is kept. */
export const BlockNameContext = createContext('');

interface ShownOptions {
  /** A name for the limited things that is unique in the block. */
  name: string;
  total: number;
  /** The number of things that are shown at first. */
  initial: number;
  /** The number of things that are added at a time after `showAll`. */
  step: number;
  /** Returns the text of the things after the first `shown` ones, for searches. */
  textAfter(shown: number): string;
}

interface Shown<T extends HTMLElement> {
  /** The number of things that are shown. */
  shown: number;
  /** Whether the rest is shown only once the person asks for it with `showAll`. */
  isCut: boolean;
  showAll(): void;
  /** The props of the element that contains the things. It gets the focus when `showAll` removes the button. */
  box: { ref: RefObject<T | null>; tabIndex?: -1 };
  /** Whether some things are not shown yet. The element with the ref `rest` must then be rendered in their place. */
  isPartial: boolean;
  rest: RefObject<HTMLDivElement | null>;
}

/**
 * Limits how many of `total` things, such as the rows of a table, are shown: at first `initial` ones and, after `showAll`,
 * `step` more at a time, so that the page stays responsive. In a print, all are shown. Returns the number to show, and the
 * props and refs of the elements around them. `textAfter`: returns the text of those that are not shown, for searches.
 */
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

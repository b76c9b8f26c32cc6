import { startTransition, useEffect, useState } from 'react';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';

interface Shown {
  /** How many are shown. */
  shown: number;
  /** Whether the others wait for being asked for. */
  isCut: boolean;
  showAll(): void;
}

/** How many of many things are shown. All of them are shown step by step, so that the page stays responsive. */
export function useShown(total: number, initial: number, step: number): Shown {
  const [limit, setLimit] = useState(initial);
  const [isAll, setAll] = useState(false);
  const isGrowing = isAll && limit < total;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step follows the one before
  useEffect(() => {
    if (isGrowing) startTransition(() => setLimit((current) => current + step));
  }, [isGrowing, limit, step]);
  const isWhole = useIsPrinting() || limit >= total;
  return { shown: isWhole ? total : limit, isCut: !isWhole && !isAll, showAll: () => setAll(true) };
}

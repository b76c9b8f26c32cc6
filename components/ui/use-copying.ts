import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

/** The time for which a view says whether copying worked, in milliseconds. */
const CONFIRMED_MS = 1_500;

/** Returns the outcome of the last copy, for a moment, otherwise undefined; and a function that copies a text. */
export function useCopying(): ['copied' | 'copyFailed' | undefined, (text: string) => void] {
  const [outcome, setOutcome] = useState<'copied' | 'copyFailed'>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return [outcome, (text) => void copyText(text).then((isDone) => setOutcome(isDone ? 'copied' : 'copyFailed'))];
}

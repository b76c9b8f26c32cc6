import { useEffect, useState } from 'react';
import { CodeHighlighting, type HighlightedLines, NO_LINES } from './code-highlighting.ts';
import type { Language } from './languages.ts';
import { CODE_LIMITS } from './limits.ts';

/**
 * Returns the tokens of the code that are known so far. There are none if the code is too long or cannot be highlighted.
 * `streaming`: whether the code is still being written, so that its last line has no tokens yet.
 */
export function useHighlighted(code: string, language: Language | undefined, streaming: boolean): HighlightedLines {
  const [highlighting, setHighlighting] = useState<CodeHighlighting>();
  const [known, setKnown] = useState(NO_LINES);
  useEffect(() => {
    if (language === undefined) return;
    const started = new CodeHighlighting(language, setKnown);
    setHighlighting(started);
    return () => {
      started.end();
      setHighlighting(undefined);
      setKnown(NO_LINES);
    };
  }, [language]);
  useEffect(() => {
    if (code.length <= CODE_LIMITS.highlightMax) highlighting?.update(code, !streaming);
  }, [highlighting, code, streaming]);
  return code.startsWith(known.done) ? known : NO_LINES;
}

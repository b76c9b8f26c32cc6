import 'katex/dist/katex.min.css';
import 'katex/contrib/copy-tex';
import { ParseError, render } from 'katex';
import { useLayoutEffect, useRef, useState } from 'react';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import type { Formula } from './formulas.ts';
import { FORMULA_LIMITS } from './limits.ts';

/** A mistake in a formula, and its offset in the formula's LaTeX; the offset is undefined if it is not known. */
interface Mistake {
  message: string;
  position: number | undefined;
}

/**
 * Draws a formula with KaTeX, as HTML for the eye and MathML for screen readers. One with a mistake is shown as it was written,
 * with the place of the mistake. Searching and copying see the LaTeX.
 */
export default function DrawnFormula({ formula: { source, tex, isDisplay } }: { formula: Formula }) {
  const box = useRef<HTMLSpanElement>(null);
  const [mistake, setMistake] = useState<Mistake>();
  useLayoutEffect(() => {
    if (box.current === null) return;
    try {
      render(tex, box.current, {
        displayMode: isDisplay,
        // Nothing in a formula may load or link to anything.
        trust: false,
        strict: 'ignore',
        maxSize: FORMULA_LIMITS.sizeMax,
        maxExpand: FORMULA_LIMITS.expansionsMax,
      });
      label(box.current, source);
      setMistake(undefined);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setMistake(mistakeOf(error));
    }
  }, [source, tex, isDisplay]);
  return (
    <>
      <span
        ref={box}
        dir="ltr"
        hidden={mistake !== undefined}
        className={isDisplay ? 'block overflow-x-auto overflow-y-hidden' : undefined}
      />
      {mistake && <Faulty source={source} tex={tex} mistake={mistake} isDisplay={isDisplay} />}
    </>
  );
}

/** Lets searching and copying see a formula as it was written, and not twice as it is drawn. */
function label(box: HTMLElement, source: string): void {
  for (const drawn of box.querySelectorAll('math, .katex-html')) drawn.setAttribute('data-unsearched', '');
  const written = document.createElement('span');
  written.setAttribute('aria-hidden', 'true');
  written.textContent = source;
  box.querySelector('.katex-mathml')?.append(written);
}

const mistakeOf = (error: Error): Mistake =>
  error instanceof ParseError
    ? { message: error.rawMessage, position: error.position }
    : { message: error.message, position: undefined };

interface FaultyProps {
  source: string;
  tex: string;
  mistake: Mistake;
  isDisplay: boolean;
}

/** A formula that cannot be drawn: its source, in which the place of the mistake is marked. */
function Faulty({ source, tex, mistake: { message, position }, isDisplay }: FaultyProps) {
  const texts = useMarkdownTexts();
  const at = position === undefined ? source.length : source.indexOf(tex) + position;
  const title = texts.formulaMistake(message);
  return (
    <span title={title} className={isDisplay ? 'my-2 block' : undefined}>
      <code dir="ltr" className="whitespace-pre-wrap">
        {source.slice(0, at)}
        <mark className="rounded-sm bg-failed-soft text-failed">{source.slice(at)}</mark>
      </code>
      <span data-unsearched="" className={isDisplay ? 'block text-failed text-sm' : 'sr-only'}>
        {title}
      </span>
    </span>
  );
}

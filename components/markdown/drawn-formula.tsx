import { ParseError, render } from 'katex';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import type { Formula } from './formulas.ts';
import { FORMULA_LIMITS } from './limits.ts';

/** The reason why a formula cannot be drawn. */
type Fault =
  | { type: 'too-complex' }
  /** `position`: the mistake's offset in the LaTeX; undefined if it is not known. */
  | { type: 'mistake'; message: string; position: number | undefined };

/** Matches commands that can move a part of a formula out of its place, over what is beside it. */
const MOVING = /\\(?:[a-z]*(?:kern|space|skip|rlap|llap|clap)|raisebox|rule|smash|vcenter)|\\!|\\\\\[/;

/** Matches a command that defines another one. */
const DEFINITION = /\\(?:[gex]?def|let|(?:re)?newcommand|providecommand|futurelet)(?![a-zA-Z])/;

/**
 * Draws a formula with KaTeX, as HTML for the eye and MathML for screen readers. One that cannot be drawn is shown as it was
 * written, with the place of the mistake. Searching and copying see the LaTeX.
 */
export default function DrawnFormula({ formula: { source, tex, isDisplay } }: { formula: Formula }) {
  const box = useRef<HTMLSpanElement>(null);
  // While rendering, React lets other work go first between two formulas; an effect would draw all of them at once.
  const drawn = useMemo(() => {
    const made = draw(tex, isDisplay);
    if (made instanceof Node) label(made, source, isDisplay);
    return made;
  }, [source, tex, isDisplay]);
  const fault = drawn instanceof Node ? undefined : drawn;
  useLayoutEffect(() => {
    if (drawn instanceof Node) box.current?.replaceChildren(drawn);
  }, [drawn]);
  return (
    <>
      <span
        ref={box}
        dir="ltr"
        hidden={fault !== undefined}
        className={
          isDisplay
            ? 'block overflow-x-auto overflow-y-hidden'
            : MOVING.test(tex)
              ? 'inline-block max-w-full overflow-clip align-middle'
              : undefined
        }
      />
      {fault && <Faulty source={source} tex={tex} fault={fault} isDisplay={isDisplay} />}
    </>
  );
}

// The first formula takes several times as long as others, so it is one that nobody waits for.
draw('\\sqrt{\\frac{a}{b}}', true);

/** Draws a formula into an element outside of the document, because laying out a very deep one can crash the browser. */
function draw(tex: string, isDisplay: boolean): HTMLElement | Fault {
  const drawn = document.createElement('span');
  try {
    render(tex, drawn, {
      displayMode: isDisplay,
      // Nothing in a formula may load or link to anything.
      trust: false,
      strict: 'ignore',
      maxSize: FORMULA_LIMITS.sizeMax,
      // A macro of the formula's own may be long.
      maxExpand: DEFINITION.test(tex) ? FORMULA_LIMITS.ownExpansionsMax : FORMULA_LIMITS.expansionsMax,
    });
  } catch (error) {
    if (error instanceof ParseError) return { type: 'mistake', message: error.rawMessage, position: error.position };
    // KaTeX is recursive, too.
    if (error instanceof RangeError) return { type: 'too-complex' };
    throw error;
  }
  const all = drawn.getElementsByTagName('*');
  return all.length > FORMULA_LIMITS.elementsMax || isDeep(drawn, FORMULA_LIMITS.depthMax)
    ? { type: 'too-complex' }
    : drawn;
}

/** Checks whether elements are nested more than `max` levels deep. */
function isDeep(root: Element, max: number): boolean {
  let level = [...root.children];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > max) return true;
    level = level.flatMap(({ children }) => [...children]);
  }
  return false;
}

/** Lets searching and copying see a drawn formula as it was written, and not twice as it is drawn. */
function label(box: HTMLElement, source: string, isDisplay: boolean): void {
  for (const drawn of box.querySelectorAll('.katex-mathml, .katex-html')) drawn.setAttribute('data-unsearched', '');
  const written = document.createElement('span');
  written.setAttribute('aria-hidden', 'true');
  written.textContent = source;
  written.dataset.written = '';
  // It takes no place: within its line, or as a block without a height.
  written.className = isDisplay ? 'block h-0 overflow-hidden' : 'text-[0px]';
  box.append(written);
}

/** The place in a formula's source of an offset in its LaTeX. The source may have marks of a quote in between. */
function placeOf(position: number | undefined, tex: string, source: string): number {
  const start = source.indexOf(tex);
  return position === undefined || start === -1 ? source.length : start + position;
}

interface FaultyProps {
  source: string;
  tex: string;
  fault: Fault;
  isDisplay: boolean;
}

/** A formula that cannot be drawn: its source, in which the place of the mistake is marked. */
function Faulty({ source, tex, fault, isDisplay }: FaultyProps) {
  const texts = useMarkdownTexts();
  const isMistake = fault.type === 'mistake';
  const at = isMistake ? placeOf(fault.position, tex, source) : source.length;
  const title = isMistake ? texts.formulaMistake(fault.message) : texts.formulaTooComplex;
  return (
    <span title={title} className={isDisplay ? 'my-block block' : undefined}>
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

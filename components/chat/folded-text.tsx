'use client';

import { useLayoutEffect, useRef, useState } from 'react';
import { useKeptState, useReveal } from '#components/hooks/kept-state.ts';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { directionOf, hasRightToLeft } from '#components/markdown/direction.ts';
import { Button } from '#components/ui/button.tsx';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';

/** The number of lines shown of a folded text. The same as in `max-h-[12lh]` below. */
const LINES_SHOWN = 12;
/**
 * The number of lines that are not worth hiding. A text with more lines below the fold is folded and gets a button that
 * shows all of it.
 */
const LINES_WORTH_FOLDING = 4;
/** The number of characters of a folded text that are rendered: a whole book would block the page. */
const CHARACTERS_RENDERED = 20_000;

/** Shows each line of a text in the direction of its words. Browsers go by the first letter, which may be in code. */
function DirectedLines({ text }: { text: string }) {
  if (!hasRightToLeft(text)) return text;
  return text.split(/(?<=\n)/).map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a sent message never change
    <span key={index} dir={directionOf(line)} className="block">
      {line}
    </span>
  ));
}

/**
 * Shows text as its author wrote it. Of a long text, only the first lines are shown until the person asks for all. `name`:
 * the key under which it is kept that the person has unfolded it.
 */
export function FoldedText({ name, text }: { name: string; text: string }) {
  const t = useAllMessages();
  const [isOpen, setOpen] = useKeptState(name, false);
  const [isLong, setLong] = useState(text.length > CHARACTERS_RENDERED);
  const paragraph = useRef<HTMLParagraphElement>(null);
  const isPrinting = useIsPrinting();
  useReveal(name, [name], () => setOpen(true));
  useLayoutEffect(() => {
    const element = paragraph.current;
    if (element === null) return;
    const measure = () => {
      const lineHeight = Number.parseFloat(getComputedStyle(element).lineHeight);
      setLong(
        text.length > CHARACTERS_RENDERED || element.scrollHeight > (LINES_SHOWN + LINES_WORTH_FOLDING) * lineHeight,
      );
    };
    measure();
    const resizes = new ResizeObserver(measure);
    resizes.observe(element);
    return () => resizes.disconnect();
  }, [text]);
  const isFolded = isLong && !isOpen && !isPrinting;
  return (
    <>
      <p
        ref={paragraph}
        data-part={name}
        data-as-written=""
        className={`whitespace-pre-wrap break-words [unicode-bidi:plaintext] ${isFolded ? 'max-h-[12lh] overflow-hidden mask-b-from-70%' : ''}`}
      >
        <DirectedLines
          text={isFolded && text.length > CHARACTERS_RENDERED ? `${text.slice(0, CHARACTERS_RENDERED)}…` : text}
        />
      </p>
      {isLong && !isPrinting ? (
        <div data-unsearched="" className="mt-1">
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t.messages.showLess : t.messages.showAll}
          </Button>
        </div>
      ) : null}
    </>
  );
}

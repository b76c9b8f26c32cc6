import { useMemo } from 'react';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { MARKDOWN_LIMITS } from './limits.ts';
import { pieces } from './pieces.ts';
import { ShowAll } from './show-all.tsx';
import { useShown } from './use-shown.ts';

const { plainShown, plainPiece, partsPerStep } = MARKDOWN_LIMITS;

/** Shows text as it was written. Of a long text, only the beginning is shown until the person asks for all of it. */
export function PlainText({ text }: { text: string }) {
  const texts = useMarkdownTexts();
  const total = Math.ceil(text.length / plainPiece);
  const { shown, isCut, showAll, box, isPartial, rest } = useShown<HTMLDivElement>({
    name: `text/${total}`,
    total,
    initial: plainShown / plainPiece,
    step: partsPerStep,
    textAfter: (count) => {
      // A line break at a cut is left out.
      const before = pieces(text, plainPiece, count);
      return text.slice(before.reduce((sum, piece) => sum + piece.length, before.length));
    },
  });
  // Pieces may be shorter than `plainPiece`, so there may be more than `total`.
  const limit = shown === total ? Number.POSITIVE_INFINITY : shown;
  const all = useMemo(() => pieces(text, plainPiece, limit), [text, limit]);
  return (
    <>
      <div {...box} className="my-block whitespace-pre-wrap [overflow-wrap:anywhere]">
        {all.map((piece, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are those of one text
            key={index}
            className="[contain-intrinsic-size:auto_900px] [content-visibility:auto]"
          >
            {piece}
          </div>
        ))}
      </div>
      {isPartial ? <div ref={rest} /> : null}
      {isCut ? <ShowAll onClick={showAll}>{texts.allCharacters(text.length)}</ShowAll> : null}
    </>
  );
}

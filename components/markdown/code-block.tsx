'use client';

import { memo, type RefObject, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Following } from '#components/hooks/following.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';
import { CodeActionsView } from './code-actions-view.ts';
import type { HighlightedLines } from './code-highlighting.ts';
import { CodeLine } from './code-line.tsx';
import { CodeLines } from './code-lines.ts';
import { highlightLanguageOf } from './languages.ts';
import { CODE_LIMITS } from './limits.ts';
import { useHighlighted } from './use-highlighted.ts';
import { BlockNameContext } from './use-shown.ts';
import { WindowedCode } from './windowed-code.tsx';
import { WritingContext } from './writing.ts';

interface CodeBlockProps {
  code: string;
  /** A language name or file extension; without one, the code is not highlighted. */
  language?: string | undefined;
  /** The text above the code; by default, `language`. */
  label?: string;
  /** Whether the code is being written, so that its last line is not highlighted yet. */
  streaming?: boolean;
  /** Whether the end of the code is kept in view as it grows; by default, while it is being written. */
  followsEnd?: boolean;
  /** Whether long lines wrap, so that nobody has to scroll sideways to read the code. Very long code never wraps. */
  wraps?: boolean;
}

/**
 * Code with syntax highlighting, its language, and a copy button. Long code scrolls inside the block, and only lines near
 * the visible part are rendered.
 */
export const CodeBlock = memo(function CodeBlock(props: CodeBlockProps) {
  const { code, language, label = language, streaming = false, followsEnd = streaming, wraps = false } = props;
  const Actions = useContext(CodeActionsView);
  /** The person's choice, if they have made one. */
  const [chosen, setChosen] = useState<boolean>();
  const isWrapped = chosen ?? wraps;
  const name = language === undefined ? undefined : highlightLanguageOf(language);
  const highlighted = useHighlighted(code, name, streaming);
  const [lines] = useState(() => new CodeLines());
  // The same code always has the same lines: only what was added is read.
  useMemo(() => lines.update(code), [lines, code]);
  const isPrinting = useIsPrinting();
  const isLong = lines.count > CODE_LIMITS.linesAtOnce || code.length > CODE_LIMITS.charactersAtOnce;
  const box = useRef<HTMLPreElement>(null);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [below, setBelow] = useState<HTMLElement | null>(null);
  const blockName = useContext(BlockNameContext);
  // Of code inside a list or a quote, only the whole text says whether it is complete.
  const isTextWritten = useContext(WritingContext);
  useLayoutEffect(() => {
    if (isLong) setScroller(box.current);
  }, [isLong]);
  useEndInView(box, code, followsEnd);
  return (
    <div
      dir="ltr"
      translate="no"
      className="group/code relative my-block overflow-hidden rounded-md border border-line bg-sunken"
    >
      <div
        data-unsearched=""
        className={
          label === undefined
            ? 'absolute end-0 top-0 z-10 flex rounded-bl-md bg-sunken'
            : 'flex min-h-8 items-center border-line border-b pl-3 text-muted text-xs'
        }
      >
        {label === undefined ? null : <span className="flex-1 select-none truncate font-mono">{label}</span>}
        <CopyButton text={() => code} />
        {Actions && (
          <Actions
            code={code}
            language={language}
            isWrapped={isWrapped}
            onWrap={isLong ? undefined : () => setChosen(!isWrapped)}
            isWriting={props.followsEnd ?? isTextWritten}
            name={`${blockName}/${code}`}
            below={below}
          />
        )}
      </div>
      <pre
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className={`max-h-96 overflow-auto p-3 font-mono text-[13px] leading-[20px] ${isWrapped && !isLong ? 'whitespace-pre-wrap break-words' : ''} ${label === undefined ? 'pe-20' : ''}`}
      >
        {isLong && !isPrinting ? (
          <WindowedCode lines={lines} tokens={highlighted.lines} scroller={scroller} />
        ) : (
          <WholeCode code={code} highlighted={highlighted} />
        )}
      </pre>
      {Actions && <div ref={setBelow} />}
    </div>
  );
});

/**
 * Keeps the end of code in view while it grows, and shows its beginning once it is complete, unless the user has scrolled
 * away from the end.
 */
function useEndInView(box: RefObject<HTMLElement | null>, code: string, isOn: boolean): void {
  const following = useRef<Following>(undefined);
  useEffect(() => {
    const element = box.current;
    if (element === null || !isOn) return;
    const current = new Following(element, true);
    following.current = current;
    const look = () => current.look();
    element.addEventListener('scroll', look, { passive: true });
    const endWatching = current.watchGestures();
    return () => {
      element.removeEventListener('scroll', look);
      endWatching();
      if (current.isOn) element.scrollTop = 0;
      following.current = undefined;
    };
  }, [box, isOn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view follows each new piece of code
  useEffect(() => {
    if (following.current?.isOn && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [box, code, isOn]);
}

function WholeCode({ code, highlighted: { lines } }: { code: string; highlighted: HighlightedLines }) {
  const texts = code.split('\n');
  return (
    <code>
      {lines.slice(0, texts.length).map((tokens, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are those of one text
        <CodeLine key={index} text={texts[index] ?? ''} tokens={tokens} />
      ))}
      {texts.slice(lines.length).join('\n')}
    </code>
  );
}

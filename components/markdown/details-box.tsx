import { type ComponentType, createContext, useContext, useEffect, useMemo, useRef } from 'react';
import { useKeptState } from '#components/hooks/kept-state.ts';
import { useMarkdownTexts } from '#components/i18n/use-markdown-texts.ts';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';
import { registerHiddenText } from '#components/ui/windowed-text.ts';
import { markdownText } from '#lib/threads/find/markdown-text.ts';
import type { Part } from './block.ts';
import { detailsOf } from './details.ts';
import { MarkdownPart } from './markdown-part.tsx';
import { BlockNameContext } from './use-shown.ts';

/**
 * Provides the component that renders Markdown inside other Markdown, such as the content of a `details` element.
 * `MarkdownView` provides itself, because importing it here would be circular.
 */
export const InnerMarkdown = createContext<
  ComponentType<{ text: string; name: string; streaming: boolean }> | undefined
>(undefined);

/** A `details` element: its summary, and its content if it is open. */
export function DetailsBox({ source, streaming }: { source: string; streaming: boolean }) {
  const texts = useMarkdownTexts();
  const name = useContext(BlockNameContext);
  const Content = useContext(InnerMarkdown);
  const { summary, content, rest, isOpen: isOpenAtFirst } = useMemo(() => detailsOf(source), [source]);
  const [isOpen, setOpen] = useKeptState(`details/${name}`, isOpenAtFirst);
  const isPrinting = useIsPrinting();
  const isShown = isOpen || isPrinting;
  const part = useMemo(() => partOf(summary), [summary]);
  const after = useMemo(() => partOf(rest), [rest]);
  return (
    <>
      <details open={isShown} className="my-block rounded-md border border-line px-3">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the browser makes a summary a button */}
        <summary
          className="-mx-3 px-3 py-1.5 font-medium [&_p]:inline"
          onClick={(event) => {
            const { target, currentTarget } = event;
            // Links and pictures work as elsewhere, and so does what a picture opens.
            const isInside = target instanceof Element && currentTarget.contains(target);
            if (!isInside || target.closest('a, button') !== null) return;
            event.preventDefault();
            setOpen(!isOpen);
          }}
        >
          {summary === '' ? texts.details : <MarkdownPart part={part} shape="text" />}
        </summary>
        {isShown && Content ? (
          <Content text={content} name={`${name}/details`} streaming={streaming} />
        ) : (
          <HiddenContent content={content} onShow={() => setOpen(true)} />
        )}
      </details>
      {rest === '' ? null : <MarkdownPart part={after} shape="text" />}
    </>
  );
}

/** The place of content that is not shown, in which searches find it. */
function HiddenContent({ content, onShow }: { content: string; onShow(): void }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback only sets a state
  useEffect(() => {
    if (box.current === null) return;
    return registerHiddenText(box.current, { text: () => markdownText(content), show: onShow });
  }, [content]);
  return <div ref={box} />;
}

/** A short text as a part of Markdown. */
const partOf = (source: string): Part => ({ source, depth: 0, prose: source.length, marks: source.length });

'use client';

import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useSettings, useStudio } from '#components/hooks/studio-provider.tsx';
import { useAllMessages } from '#components/i18n/use-all-messages.ts';
import { Spinner } from '#components/ui/spinner.tsx';

/** The view follows the end of the text while it is scrolled this close to it, in pixels. */
const FOLLOW_WITHIN = 40;

interface LiveViewProps {
  path: string;
  toolCallId: string;
  onClose(): void;
}

/**
 * A file as the model writes it. Follows the end of the text unless the user has scrolled away. Calls `onClose` once the
 * file is no longer being written.
 */
export default function LiveView({ path, toolCallId, onClose }: LiveViewProps) {
  const t = useAllMessages();
  const scroller = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLPreElement>(null);
  const { fontSize, wraps, tabWidth } = useSettings((state) => state.editor);
  const { liveWrites } = useStudio();
  const write = useStore(liveWrites.state, (writes) => writes.get(toolCallId));
  const content = write?.content;
  useEffect(() => {
    if (scroller.current === null || text.current === null || content === undefined) return;
    const { scrollTop, clientHeight, scrollHeight } = scroller.current;
    append(text.current, content);
    if (scrollTop + clientHeight >= scrollHeight - FOLLOW_WITHIN)
      scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [content]);
  useEffect(() => {
    if (write === undefined) onClose();
  }, [write, onClose]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <p role="status" className="flex shrink-0 items-center gap-2 border-line border-b px-3 py-1 text-muted text-xs">
        <Spinner size={12} />
        {write?.isComplete ? t.editor.liveComplete : t.editor.live}
      </p>
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it
        tabIndex={0}
        aria-label={t.editor.liveLabel(path)}
        className="min-h-0 flex-1 overflow-auto"
      >
        <pre
          ref={text}
          className={`p-3 font-mono leading-[1.4] ${wraps ? 'whitespace-pre-wrap break-words' : 'w-fit'}`}
          style={{ fontSize, tabSize: tabWidth }}
        />
      </section>
    </div>
  );
}

/** Makes `content` the text of an element. Appends only the new end if it can, so that the rest is not laid out again. */
function append(element: HTMLElement, content: string): void {
  const shown = element.textContent;
  if (content.startsWith(shown)) element.append(content.slice(shown.length));
  else element.textContent = content;
}

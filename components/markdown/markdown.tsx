'use client';

import { Suspense } from 'react';
import { lazyView, retriedUntilLoaded } from '#components/ui/lazy-view.tsx';

/** Characters of plain text that are shown. Browsers take minutes to lay out a word of millions, such as a data URL. */
const PLAIN_MAX = 10_000;

/** The renderer of Markdown. Loading it is retried until it succeeds, because the text is readable without it. */
const MarkdownView = lazyView(retriedUntilLoaded(() => import('./markdown-view.tsx')));

/** Loads the renderer's code before the first answer needs it. */
export const preloadMarkdown = MarkdownView.preload;

interface MarkdownProps {
  text: string;
  /** The name of the text in its thread, for kept states and the search. */
  name: string;
  /** Whether the text is still being written. */
  streaming?: boolean;
}

/** Renders Markdown. Until the renderer is loaded, or if it cannot be, shows the beginning of the plain text. */
export function Markdown({ text, name, streaming = false }: MarkdownProps) {
  return (
    <div className="markdown">
      <Suspense
        fallback={
          <p data-loading-view="" className="whitespace-pre-wrap">
            {text.slice(0, PLAIN_MAX)}
          </p>
        }
      >
        <MarkdownView text={text} name={name} streaming={streaming} />
      </Suspense>
    </div>
  );
}

'use client';

import { Suspense } from 'react';
import { lazyView, patiently } from '#components/ui/lazy-view.tsx';

/** Browsers take minutes to lay out a word of millions of characters, such as a data URL. */
const PLAIN_MAX = 10_000;

/** The text is readable without its renderer. */
const MarkdownView = lazyView(patiently(() => import('./markdown-view.tsx')));

/** Preloads the renderer before the first answer. */
export const preloadMarkdown = MarkdownView.preload;

interface MarkdownProps {
  text: string;
  /** Names the text in its thread. */
  name: string;
  /** Whether it is being written. */
  streaming?: boolean;
}

/** Markdown. Until its renderer is loaded, or if it cannot be, the beginning of the plain text is shown. */
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

'use client';

import { lazy, Suspense } from 'react';

const MarkdownView = lazy(() => import('./markdown-view.tsx'));

/** Markdown; until its renderer is loaded, and for a reader that never is, the text itself. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <MarkdownView text={text} />
      </Suspense>
    </div>
  );
}

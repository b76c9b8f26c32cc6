'use client';

import { type ComponentType, useEffect, useState } from 'react';

type MarkdownView = ComponentType<{ text: string }>;

let loaded: MarkdownView | undefined;
const RETRY_MS = 3_000;

async function load(): Promise<MarkdownView> {
  loaded ??= (await import('./markdown-view.tsx')).default;
  return loaded;
}

/** Preloads the renderer before the first answer. */
export const preloadMarkdown = (): Promise<unknown> => load().catch(() => undefined);

/** Markdown. Until its renderer is loaded, or if it cannot be, the plain text is shown. */
export function Markdown({ text }: { text: string }) {
  const [View, setView] = useState<MarkdownView | undefined>(() => loaded);
  useEffect(() => {
    if (View !== undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    let current = true;
    const attempt = () => {
      load().then(
        (view) => {
          if (current) setView(() => view);
        },
        () => {
          if (current) timer = setTimeout(attempt, RETRY_MS);
        },
      );
    };
    attempt();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [View]);
  return (
    <div className="markdown">
      {View === undefined ? <p className="whitespace-pre-wrap">{text}</p> : <View text={text} />}
    </div>
  );
}

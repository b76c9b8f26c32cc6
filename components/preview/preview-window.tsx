'use client';

import '#studio/page/no-eval.ts';

import { useEffect, useState } from 'react';
import { useDocumentTheme } from '#components/hooks/theme.ts';
import type { Messages } from '#components/i18n/catalog.ts';
import { FixedMessages } from '#components/i18n/i18n.tsx';
import { loadMessages, resolveLocale } from '#components/i18n/languages.ts';
import { previewTexts } from '#components/i18n/preview-texts.ts';
import { loadLaterTexts } from '#components/i18n/use-all-messages.ts';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { openPreviewOf, type PreviewedWorkspace } from '#studio/previewed-workspace.ts';
import { PreviewPanel } from './preview-panel.tsx';

type Opening =
  | { type: 'opening' }
  | { type: 'open'; opened: PreviewedWorkspace; messages: Messages }
  | { type: 'failed'; messages: Messages; detail: string };

/**
 * The content of a browser window that shows only the preview of a workspace, with its controls and its console. The window's
 * URL names the workspace, and the page that is shown first.
 */
export function PreviewWindow() {
  const [opening, setOpening] = useState<Opening>({ type: 'opening' });
  useEffect(() => {
    let isCurrent = true;
    let close: (() => void) | undefined;
    const address = new URLSearchParams(location.search);
    openPreviewOf(address.get('workspace'), address.get('entry')).then(
      async (opened) => {
        const [messages] = await Promise.all([loadMessages(resolveLocale(opened.settings.locale)), loadLaterTexts()]);
        close = opened.close;
        if (isCurrent) setOpening({ type: 'open', opened, messages });
        else opened.close();
      },
      async (error: unknown) => {
        const messages = await loadMessages(resolveLocale(null));
        const detail = error instanceof Error ? error.message : String(error);
        if (isCurrent) setOpening({ type: 'failed', messages, detail });
      },
    );
    return () => {
      isCurrent = false;
      close?.();
    };
  }, []);
  if (opening.type === 'opening') {
    return (
      <p role="status" className="p-6 text-muted">
        {previewTexts.opening}
      </p>
    );
  }
  if (opening.type === 'failed') {
    const { preview: texts = previewTexts } = opening.messages;
    return (
      <main lang={opening.messages.locale} className="mx-auto max-w-xl p-8">
        <h1 className="font-semibold text-lg">{texts.windowFailed}</h1>
        <p className="mt-2 break-words">{opening.detail}</p>
      </main>
    );
  }
  const { opened, messages } = opening;
  return (
    <FixedMessages messages={messages}>
      <Theme theme={opened.settings.theme} />
      <ErrorBoundary>
        <main className="h-dvh">
          <PreviewPanel preview={opened.preview} fileSystem={opened.fileSystem} theme={opened.settings.theme} shown />
        </main>
      </ErrorBoundary>
    </FixedMessages>
  );
}

function Theme({ theme }: { theme: PreviewedWorkspace['settings']['theme'] }) {
  useDocumentTheme(theme);
  return null;
}

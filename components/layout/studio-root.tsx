'use client';

import '#components/runtime/no-eval.ts';

import { useEffect, useState } from 'react';
import { en, type Messages } from '#components/i18n/en.ts';
import { loadMessages, MessagesProvider, resolveLocale } from '#components/i18n/i18n.tsx';
import { connectAddress } from '#components/runtime/navigation.ts';
import { openStudio, type Studio } from '#components/runtime/studio.ts';
import { StudioProvider, ThreadRuntimeProvider, useSettings } from '#components/runtime/studio-provider.tsx';
import { useDocumentTheme } from '#components/runtime/theme.ts';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { StudioLayout } from './studio-layout.tsx';

type Opening =
  | { type: 'opening' }
  | { type: 'open'; studio: Studio; messages: Messages }
  | { type: 'insecure' }
  | { type: 'failed'; detail: string };

/** Opens the studio in this browser, or says in words why it cannot be. */
export function StudioRoot() {
  const [opening, setOpening] = useState<Opening>({ type: 'opening' });
  useEffect(() => {
    if (!isSecureContext) {
      setOpening({ type: 'insecure' });
      return;
    }
    let disconnect: (() => void) | undefined;
    openOnce().then(
      async (studio) => {
        disconnect = connectAddress(studio.threads);
        const messages = await loadMessages(resolveLocale(studio.settings.getState().locale));
        setOpening({ type: 'open', studio, messages });
      },
      (error: unknown) =>
        setOpening({ type: 'failed', detail: error instanceof Error ? error.message : String(error) }),
    );
    return () => disconnect?.();
  }, []);
  switch (opening.type) {
    case 'open':
      return (
        <StudioProvider studio={opening.studio}>
          <MessagesProvider initial={opening.messages}>
            <Theme />
            <ErrorBoundary>
              <ThreadRuntimeProvider>
                <StudioLayout />
              </ThreadRuntimeProvider>
            </ErrorBoundary>
          </MessagesProvider>
        </StudioProvider>
      );
    case 'insecure':
      return <Refusal title={en.start.insecureTitle} text={en.start.insecure} />;
    case 'failed':
      return <Refusal title={en.start.noStorageTitle} text={en.start.noStorage} detail={opening.detail} />;
    default:
      return (
        <p role="status" className="p-6 text-muted">
          {en.studio.opening}
        </p>
      );
  }
}

let opened: Promise<Studio> | undefined;

/** React mounts twice in development; the studio is opened once. */
function openOnce(): Promise<Studio> {
  opened ??= openStudio();
  return opened;
}

function Theme() {
  useDocumentTheme(useSettings(({ theme }) => theme));
  return null;
}

function Refusal({ title, text, detail }: { title: string; text: string; detail?: string }) {
  return (
    <main className="mx-auto max-w-xl p-8">
      <h1 className="font-semibold text-lg">{title}</h1>
      <p className="mt-2">{text}</p>
      {detail === undefined ? null : <p className="mt-2 break-words font-mono text-muted text-sm">{detail}</p>}
      <button
        type="button"
        className="mt-4 h-8 rounded-md bg-accent px-3 text-accent-text text-sm"
        onClick={() => location.reload()}
      >
        {en.common.reload}
      </button>
    </main>
  );
}

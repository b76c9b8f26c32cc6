import '#studio/page/no-eval.ts';
import '#components/hooks/compositions.ts';

import { useEffect, useState } from 'react';
import { ThreadRuntimeProvider } from '#components/chat/thread-runtime.tsx';
import { useEarlyShortcuts } from '#components/hooks/shortcuts.ts';
import { StudioProvider, useSettings } from '#components/hooks/studio-provider.tsx';
import { useDocumentTheme } from '#components/hooks/theme.ts';
import { beginTypeAhead } from '#components/hooks/type-ahead.ts';
import type { AllMessages, Messages } from '#components/i18n/catalog.ts';
import { MessagesProvider } from '#components/i18n/i18n.tsx';
import { loadMessages, resolveLocale } from '#components/i18n/languages.ts';
import { allMessages, loadLaterTexts } from '#components/i18n/use-all-messages.ts';
import { ErrorBoundary } from '#components/ui/error-boundary.tsx';
import { useIsPrinting } from '#components/ui/use-is-printing.ts';
import { connectAddress } from '#studio/page/navigation.ts';
import { surviveTranslation } from '#studio/page/translated-text.ts';
import { openStudio, type Studio } from '#studio/studio.ts';
import { OpeningText } from './opening-text.tsx';
import { StudioLayout } from './studio-layout.tsx';

if (typeof window !== 'undefined') surviveTranslation();

type Opening =
  | { type: 'opening' }
  | { type: 'open'; studio: Studio; messages: Messages }
  | { type: 'insecure'; messages: AllMessages }
  | { type: 'failed'; messages: Messages; detail: string };

interface StudioRootProps {
  /** Opens the studio. Must return the same studio each time. */
  open?: () => Promise<Studio>;
}

/** Opens the studio in this browser with `open`, and shows it, or explains why it cannot be opened. */
export function StudioRoot({ open = openOnce }: StudioRootProps) {
  const [opening, setOpening] = useState<Opening>({ type: 'opening' });
  useEffect(() => {
    if (!isSecureContext) {
      void Promise.all([browserMessages(), loadLaterTexts()]).then(([messages]) =>
        setOpening({ type: 'insecure', messages: allMessages(messages) }),
      );
      return;
    }
    let disconnect: (() => void) | undefined;
    open().then(
      async (studio) => {
        disconnect = connectAddress(studio.threads);
        const messages = await loadMessages(resolveLocale(studio.settings.getState().locale));
        setOpening({ type: 'open', studio, messages });
      },
      async (error: unknown) => {
        const detail = error instanceof Error ? error.message : String(error);
        setOpening({ type: 'failed', messages: await browserMessages(), detail });
      },
    );
    return () => disconnect?.();
  }, [open]);
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
      return (
        <Refusal t={opening.messages} title={opening.messages.insecure.title} text={opening.messages.insecure.detail} />
      );
    case 'failed':
      return (
        <Refusal
          t={opening.messages}
          title={opening.messages.start.failedTitle}
          text={opening.messages.start.failed}
          detail={opening.detail}
        />
      );
    default:
      return <OpeningNotice />;
  }
}

function OpeningNotice() {
  useEarlyShortcuts(collectTyping);
  return <OpeningText />;
}

/**
 * Begins to collect typed keys, to be put into the palette when it opens. Does nothing unless `id` is that of a shortcut
 * that opens the palette for typing.
 */
const collectTyping = (id: string): void => {
  if (id === 'palette' || id === 'quickOpen') beginTypeAhead();
};

let opened: Promise<Studio> | undefined;

/** Opens the studio once, although React mounts twice in development. */
function openOnce(): Promise<Studio> {
  opened ??= openStudio();
  return opened;
}

function Theme() {
  const theme = useSettings((settings) => settings.theme);
  useDocumentTheme(useIsPrinting() ? 'light' : theme);
  return null;
}

/** The texts in the browser's language, for use when the storage with the user's choice of language is not open. */
const browserMessages = (): Promise<Messages> => loadMessages(resolveLocale(null));

interface RefusalProps {
  t: Messages;
  title: string;
  text: string;
  detail?: string;
}

function Refusal({ t, title, text, detail }: RefusalProps) {
  return (
    <main lang={t.locale} className="mx-auto max-w-xl p-8">
      <h1 className="font-semibold text-lg">{title}</h1>
      <p className="mt-2">{text}</p>
      {detail === undefined ? null : <p className="mt-2 break-words font-mono text-muted text-sm">{detail}</p>}
      <button
        type="button"
        className="mt-4 h-8 rounded-md bg-accent px-3 text-accent-text text-sm"
        onClick={() => location.reload()}
      >
        {t.common.reload}
      </button>
    </main>
  );
}

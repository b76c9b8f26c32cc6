'use client';

import { useEffect, useState } from 'react';
import type { Messages } from '#components/i18n/catalog.ts';
import { en } from '#components/i18n/en.ts';
import { loadMessages, resolveLocale } from '#components/i18n/languages.ts';
import { Mark } from '#components/ui/mark.tsx';

/** Says that there is no page at an address, and leads back to the studio. */
export function NotFound() {
  const [t, setMessages] = useState<Messages>(en);
  useEffect(() => {
    loadMessages(resolveLocale(null)).then(setMessages, () => undefined);
  }, []);
  return (
    <main lang={t.locale} className="mx-auto flex min-h-dvh max-w-xl flex-col justify-center p-8">
      <h1 className="flex items-center gap-2 font-semibold text-lg">
        <Mark />
        {t.start.notFoundTitle}
      </h1>
      <p className="mt-2">{t.start.notFound}</p>
      <p className="mt-4">
        <a href="/" className="inline-flex h-8 items-center rounded-md bg-accent px-3 text-accent-text text-sm">
          {t.start.toStudio}
        </a>
      </p>
    </main>
  );
}

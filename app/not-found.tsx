import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { resolveLocale } from '#components/i18n/languages.ts';
import { notFoundTexts } from '#components/i18n/not-found-texts.ts';
import { Mark } from '#components/ui/mark.tsx';

export const metadata: Metadata = { title: 'Page not found · Roundtrip Studio' };

/** Says that there is no page at an address, and leads back to the studio. It needs no script. */
export default async function NotFound() {
  const accepted = (await headers()).get('accept-language') ?? '';
  const locale = resolveLocale(null, accepted.split(/[,;]/));
  const t = notFoundTexts(locale);
  return (
    <main lang={locale} className="mx-auto flex min-h-dvh max-w-xl flex-col justify-center p-8">
      <h1 className="flex items-center gap-2 font-semibold text-lg">
        <Mark />
        {t.title}
      </h1>
      <p className="mt-2">{t.help}</p>
      <p className="mt-4">
        <a href="/" className="inline-flex h-8 items-center rounded-md bg-accent px-3 text-accent-text text-sm">
          {t.toStudio}
        </a>
      </p>
    </main>
  );
}

'use client';

import { useMessages } from '#components/i18n/i18n.tsx';
import { useSettingsTexts } from '#components/i18n/use-settings-texts.ts';
import { Mark } from '#components/ui/mark.tsx';
import { Section } from '#components/ui/section.tsx';

/** Shows the version and the license of the studio, and links to further documents. */
export function AboutSection() {
  const t = useMessages();
  const texts = useSettingsTexts();
  return (
    <Section title={texts.sections.about}>
      <p className="flex items-center gap-2 font-semibold text-lg">
        <Mark size={24} />
        {t.studio.name}
      </p>
      <p className="text-sm">{texts.aboutDetail}</p>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 text-sm">
        <dt className="text-muted">{texts.version}</dt>
        <dd>{process.env.STUDIO_VERSION}</dd>
        <dt className="text-muted">{texts.license}</dt>
        <dd>
          <AboutLink href="/about/LICENSE.txt">Apache 2.0</AboutLink>
        </dd>
        <dt className="text-muted">{texts.changes}</dt>
        <dd>
          <AboutLink href="/about/CHANGELOG.txt">{texts.whatsNew}</AboutLink>
        </dd>
        <dt className="text-muted">{texts.manual}</dt>
        <dd>
          <AboutLink href="/about/README.txt">README</AboutLink>
        </dd>
      </dl>
    </Section>
  );
}

function AboutLink({ href, children }: { href: string; children: string }) {
  return (
    <a
      data-pressable
      href={href}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center py-1 text-accent underline underline-offset-2"
    >
      {children}
    </a>
  );
}
